/** Why a process accepts no work yet; the message is for the operator. */
export class NotReadyError extends Error {}
