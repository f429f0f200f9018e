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

/** For what only a person with a name may do: never on the database. */
export const needOperatorApi = async (operator: Operator): Promise<OperatorClient> => {
  const client = await findClient(operator);
  if (client) return client;
  throw new CommandError("needs_operator_api", "This command goes through the operator API.", {
    fix: "Set PORTAGE_OPERATOR_URL and run: portage login",
  });
};
