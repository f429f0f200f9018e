import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { callbackUrl } from "../../features/connections/index.ts";
import {
  listToolSettings,
  setOAuthClient,
  setToolEnabled,
  type ToolRegistry,
  type StoredToolSettings,
} from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import { Secret } from "../../platform/secret.ts";
import { CommandError } from "./command-error.ts";
import type { Operator } from "./operator.ts";
import { sheet, table } from "./table.ts";

const knownTool = (registry: ToolRegistry, name: string) => {
  const found = registry.find(name);
  if (!found)
    throw new CommandError("unknown_tool", `There is no tool ${name}.`, {
      fix: "Run: portage tool list",
    });
  return found.manifest;
};

const describeTool = (
  { name, label, families, roles, auth }: ReturnType<typeof knownTool>,
  settings: StoredToolSettings | undefined,
) => ({
  name,
  label,
  families,
  roles,
  sign_in: auth.kind,
  enabled: settings?.enabled ?? true,
  oauth_client_id: settings?.oauthClientId ?? null,
});

type Described = ReturnType<typeof describeTool>;

export const toolCommands = (program: Command, operator: Operator): void => {
  const tool = program.command("tool").description("Manage source and destination tools");

  const settingsOf = async (db: Database, name: string) =>
    (await listToolSettings(db)).find((settings) => settings.tool === name);

  const show = (described: Described) => {
    const { PUBLIC_URL } = operator.config("PUBLIC_URL");
    const callback = described.sign_in === "oauth2" ? callbackUrl(PUBLIC_URL, described.name) : null;
    operator.answer({ ...described, oauth_callback_url: callback }, () =>
      sheet({
        name: described.name,
        label: described.label,
        families: described.families.join(", "),
        roles: described.roles.join(", "),
        "sign-in": described.sign_in,
        enabled: described.enabled,
        "OAuth client": described.oauth_client_id,
        "OAuth callback": callback,
      }),
    );
  };

  const change = async (name: string, work: (db: Database) => Promise<void>) => {
    const manifest = knownTool(await operator.tools(), name);
    const settings = await operator.withDatabase(async (db) => {
      await work(db);
      return settingsOf(db, name);
    });
    show(describeTool(manifest, settings));
  };

  tool
    .command("list")
    .description("List all tools of this installation")
    .action(async () => {
      const registry = await operator.tools();
      const settings = await operator.withDatabase(listToolSettings);
      const manifests = new Map(
        [...registry.all("source"), ...registry.all("destination")].map(({ manifest }) => [
          manifest.name,
          manifest,
        ]),
      );
      const tools = [...manifests.values()].map((manifest) =>
        describeTool(
          manifest,
          settings.find((each) => each.tool === manifest.name),
        ),
      );
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
    .action((name: string) => change(name, async () => {}));

  tool
    .command("enable")
    .description("Offer a tool to customers again")
    .argument("<tool>", "Tool name")
    .action((name: string) => change(name, (db) => setToolEnabled(db, name, true)));

  tool
    .command("disable")
    .description("Stop offering a tool; imports that use it continue")
    .argument("<tool>", "Tool name")
    .action((name: string) => change(name, (db) => setToolEnabled(db, name, false)));

  tool
    .command("set-oauth-client")
    .description("Set the OAuth client that you registered with a tool; reads its secret from stdin")
    .argument("<tool>", "Tool name")
    .requiredOption("--client-id <id>", "Client id from the tool")
    .action(async (name: string, { clientId }: { clientId: string }) => {
      const manifest = knownTool(await operator.tools(), name);
      if (manifest.auth.kind !== "oauth2")
        throw new CommandError(
          "no_oauth",
          `${manifest.label} has no OAuth sign-in: customers connect it with a key.`,
        );
      const secret = (await readAll(operator.needs.stdin())).trim();
      if (secret === "")
        throw new CommandError("no_secret", "stdin has no secret.", {
          fix: `Run: portage tool set-oauth-client ${name} --client-id ${clientId} < secret-file`,
        });
      const sealer = operator.sealer();
      await change(name, (db) =>
        setOAuthClient(db, sealer, name, { id: clientId, secret: new Secret(secret) }),
      );
    });

  tool
    .command("clear-oauth-client")
    .description("Remove a tool's OAuth client")
    .argument("<tool>", "Tool name")
    .action((name: string) => change(name, (db) => setOAuthClient(db, operator.sealer(), name, null)));
};
