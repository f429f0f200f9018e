import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { callbackUrl } from "../../features/connections/index.ts";
import {
  listOAuthClients,
  listToolSettings,
  type RegisteredOAuthClient,
  removeOAuthClients,
  setOAuthClient,
  setToolEnabled,
  type ToolRegistry,
  type StoredToolSettings,
} from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import { Secret } from "../../platform/secret.ts";
import { CommandError } from "./command-error.ts";
import { directChange } from "./direct-change.ts";
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
  clients: readonly RegisteredOAuthClient[],
) => ({
  name,
  label,
  families,
  roles,
  sign_in: auth.kind,
  enabled: settings?.enabled ?? true,
  oauth_clients: clients
    .filter(({ tool }) => tool === name)
    .map(({ origin, id }) => ({ origin, client_id: id })),
});

type Described = ReturnType<typeof describeTool>;

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

export const toolCommands = (tool: Command, operator: Operator): void => {
  const readTools = async (db: Database) => ({
    settings: await listToolSettings(db),
    clients: await listOAuthClients(db),
  });

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
        "OAuth clients": described.oauth_clients
          .map(({ origin, client_id }) => `${client_id} at ${origin}`)
          .join(", "),
        "OAuth callback": callback,
      }),
    );
  };

  const describe = async (db: Database, manifest: ReturnType<typeof knownTool>) => {
    const { settings, clients } = await readTools(db);
    return describeTool(
      manifest,
      settings.find((each) => each.tool === manifest.name),
      clients,
    );
  };

  const change = async (name: string, action: string, work: (db: Database) => Promise<void>) => {
    const manifest = knownTool(await operator.tools(), name);
    const audited = ({ enabled, oauth_clients }: Described) => ({ enabled, oauth_clients });
    const changed = await operator.withDatabase((db) =>
      directChange(db, action, async (within) => {
        const before = await describe(within, manifest);
        await work(within);
        const after = await describe(within, manifest);
        return {
          result: after,
          target: { kind: "tool", id: name },
          before: audited(before),
          after: audited(after),
        };
      }),
    );
    show(changed);
  };

  tool
    .command("list")
    .description("List all tools of this installation")
    .action(async () => {
      const registry = await operator.tools();
      const { settings, clients } = await operator.withDatabase(readTools);
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
          clients,
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
    .action(async (name: string) => {
      const manifest = knownTool(await operator.tools(), name);
      show(await operator.withDatabase((db) => describe(db, manifest)));
    });

  tool
    .command("enable")
    .description("Offer a tool to customers again")
    .argument("<tool>", "Tool name")
    .action((name: string) => change(name, "enableTool", (db) => setToolEnabled(db, name, true)));

  tool
    .command("disable")
    .description("Stop offering a tool; imports that use it continue")
    .argument("<tool>", "Tool name")
    .action((name: string) => change(name, "disableTool", (db) => setToolEnabled(db, name, false)));

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
      const [first, ...others] = given.origin;
      const origins = [readOrigin(first), ...others.map(readOrigin)] as const;
      const manifest = knownTool(await operator.tools(), name);
      if (manifest.auth.kind !== "oauth2" && manifest.auth.kind !== "choice")
        throw new CommandError(
          "no_oauth",
          `${manifest.label} has no OAuth sign-in: customers connect it with a key.`,
        );
      const secret = (await readAll(operator.needs.stdin())).trim();
      if (secret === "")
        throw new CommandError("no_secret", "stdin has no secret.", {
          fix: `Run: portage tool set-oauth-client ${name} --client-id ${clientId} --origin ${first} < secret-file`,
        });
      const sealer = operator.sealer();
      await change(name, "setOAuthClient", (db) =>
        setOAuthClient(db, sealer, name, { id: clientId, secret: new Secret(secret), origins }),
      );
    });

  tool
    .command("clear-oauth-client")
    .description("Remove a tool's OAuth clients")
    .argument("<tool>", "Tool name")
    .option("--origin <origin>", "Remove the client at this origin only")
    .action((name: string, { origin }: { origin?: string }) => {
      const only = origin === undefined ? null : readOrigin(origin);
      return change(name, "clearOAuthClient", (db) => removeOAuthClients(db, name, only));
    });
};
