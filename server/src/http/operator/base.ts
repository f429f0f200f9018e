/** The path of every operation; the port says that it is the operator API. */
export const operatorBase = "/api/operator/v1";
