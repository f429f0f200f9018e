import { text as readAll } from "node:stream/consumers";
import type { OperatorShownTool } from "@portage/contract/operator";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { type OperatorClient, pathOf, sameOption, type ClientCall, withQuery } from "./operator-call.ts";
import { sheet, table } from "./table.ts";

const unknownTool = (name: string) =>
  new CommandError("unknown_tool", `There is no tool ${name}.`, { fix: "Run: portage tool list" });

const collect = (value: string, before: readonly string[] = []) => [...before, value];

const readOrigin = (text: string): string => {
  const url = URL.parse(text);
  // The message does not quote the text, which may hold a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new CommandError("invalid_origin", "An origin has a scheme, a host and no path.", {
      fix: "Give an origin, such as --origin https://acme.example",
      exitCode: 2,
    });
  return url.origin;
};

const listTools = async (call: OperatorClient) =>
  (await call<{ tools: readonly OperatorShownTool[] }>("/tools")).tools;

const findTool = async (call: OperatorClient, name: string) => {
  const found = (await listTools(call)).find((tool) => tool.name === name);
  if (!found) throw unknownTool(name);
  return found;
};

export const toolCommands = (tool: Command, operator: Operator): void => {
  const show = (described: OperatorShownTool) =>
    operator.answer(described, () =>
      sheet({
        name: described.name,
        label: described.label,
        families: described.families.join(", "),
        roles: described.roles.join(", "),
        "sign-in": described.sign_in,
        enabled: described.enabled,
        "OAuth clients": described.oauth_clients
          .map(({ origin, client_id }) => `${client_id} at ${origin}`)
          .join(", "),
        "OAuth callback": described.oauth_callback_url,
      }),
    );

  const change = async (name: string, path: string, sent: ClientCall) =>
    show(
      await withOperatorApi(operator, async (call) => {
        await call(path, { ...sent, refusals: { not_found: () => unknownTool(name) }, optionOf: sameOption });
        return findTool(call, name);
      }),
    );

  tool
    .command("list")
    .description("List all tools of this installation")
    .action(async () => {
      const tools = await withOperatorApi(operator, listTools);
      operator.answer({ tools }, () =>
        table(
          ["name", "label", "families", "roles", "sign-in", "enabled"],
          tools.map((t) => [
            t.name,
            t.label,
            t.families.join(", "),
            t.roles.join(", "),
            t.sign_in,
            t.enabled,
          ]),
        ),
      );
    });

  tool
    .command("show")
    .description("Show a tool, with the OAuth callback URL to register with it")
    .argument("<tool>", "Tool name")
    .action(async (name: string) => show(await withOperatorApi(operator, (call) => findTool(call, name))));

  tool
    .command("enable")
    .description("Offer a tool to customers again")
    .argument("<tool>", "Tool name")
    .action((name: string) => change(name, pathOf`/tools/${name}/enable`, { method: "POST" }));

  tool
    .command("disable")
    .description("Stop offering a tool; imports that use it continue")
    .argument("<tool>", "Tool name")
    .action((name: string) => change(name, pathOf`/tools/${name}/disable`, { method: "POST" }));

  tool
    .command("set-oauth-client")
    .description("Set the OAuth client that you registered with a tool; reads its secret from stdin")
    .argument("<tool>", "Tool name")
    .requiredOption("--client-id <id>", "Client id from the tool")
    .requiredOption(
      "--origin <origin>",
      "Origin of the tool's sign-in and token URLs; the secret goes nowhere else (repeatable)",
      collect,
    )
    .action(async (name: string, given: { clientId: string; origin: readonly [string, ...string[]] }) => {
      const { clientId } = given;
      const origins = given.origin.map(readOrigin);
      const secret = (await readAll(operator.needs.stdin())).trim();
      if (secret === "")
        throw new CommandError("no_secret", "stdin has no secret.", {
          fix: `Run: portage tool set-oauth-client ${name} --client-id ${clientId} --origin ${given.origin[0]} < secret-file`,
        });
      await change(name, pathOf`/tools/${name}/oauth-clients`, {
        method: "PUT",
        body: { client_id: clientId, client_secret: secret, origins },
      });
    });

  tool
    .command("clear-oauth-client")
    .description("Remove a tool's OAuth clients")
    .argument("<tool>", "Tool name")
    .option("--origin <origin>", "Remove the client at this origin only")
    .action((name: string, { origin }: { origin?: string }) => {
      const only = origin === undefined ? undefined : readOrigin(origin);
      return change(name, withQuery(pathOf`/tools/${name}/oauth-clients`, { origin: only }), {
        method: "DELETE",
      });
    });
};
