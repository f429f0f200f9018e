import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { isStaffToken } from "../../features/staff/index.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { createClient, saveToken } from "./operator-client.ts";

const urlOf = (operator: Operator): string => {
  const { PORTAGE_OPERATOR_URL: url } = operator.config("PORTAGE_OPERATOR_URL");
  if (url === undefined)
    throw new CommandError("no_operator_url", "PORTAGE_OPERATOR_URL is not set.", {
      fix: "Run: export PORTAGE_OPERATOR_URL=https://…",
    });
  return url;
};

export const loginCommand = (command: Command, operator: Operator): void => {
  command.action(async () => {
    const url = urlOf(operator);
    const token = (await readAll(operator.needs.stdin())).trim();
    // Never sent, and never shown: there may be a token somewhere in it.
    if (!isStaffToken(token))
      throw new CommandError(
        "no_staff_token",
        "What came on stdin is no staff token: one word, beginning with ptg_staff_.",
        {
          fix: "With --json, `portage staff token new` prints it as `token`.",
        },
      );
    const client = createClient(operator.needs.fetch, url, token);
    const session = await client<{ name: string; role: string; staff_id: string }>("/session");
    const file = await saveToken(operator.needs.env(), url, token);
    operator.answer(
      { url, staff_id: session.staff_id, name: session.name, role: session.role, file },
      () => `Signed in at ${url} as ${session.name} (${session.role}). The token is in ${file}.`,
    );
  });
};

export const logoutCommand = (command: Command, operator: Operator): void => {
  command.action(async () => {
    const url = urlOf(operator);
    await saveToken(operator.needs.env(), url, null);
    operator.answer({ url }, () => `Signed out at ${url}. To end the token itself, revoke it.`);
  });
};
