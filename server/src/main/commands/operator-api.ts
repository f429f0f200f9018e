import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import type { OperatorClient } from "./operator-call.ts";
import { findClient } from "./operator-client.ts";

/** Calls the operator API at PORTAGE_OPERATOR_URL as who is signed in; without that address, its operations on the database. */
export const withOperatorApi = async <T>(
  operator: Operator,
  work: (call: OperatorClient) => Promise<T>,
): Promise<T> => {
  const client = await findClient(operator);
  if (client) return work(client);
  const { createDirectClient } = await import("./direct-client.ts");
  return operator.withDatabase((db) => work(createDirectClient(operator, db)));
};

/** Whether commands go through the operator API. */
export const isRemote = (operator: Operator): boolean =>
  operator.config("PORTAGE_OPERATOR_URL").PORTAGE_OPERATOR_URL !== undefined;

/** Throws if the command would go through the operator API, which can't do this. */
export const demandDirect = (operator: Operator, what: string): void => {
  if (isRemote(operator))
    throw new CommandError("direct_only", `The operator API does not ${what}: this needs the database.`, {
      fix: "Unset PORTAGE_OPERATOR_URL, and set DATABASE_URL.",
      exitCode: 2,
    });
};
