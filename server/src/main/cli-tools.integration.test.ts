import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { createProgram } from "../../../test/support/program.ts";

let db: TestDatabase;
let portage: Cli;
beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url });
});
afterAll(() => db.drop());

interface ToolAnswer {
  readonly name: string;
  readonly enabled: boolean;
}

test("lists the tools, switches one off and on", async () => {
  const names = async () =>
    (await portage.json<{ tools: ToolAnswer[] }>("tool", "list")).tools.map(({ name, enabled }) => [
      name,
      enabled,
    ]);
  expect(await names()).toContainEqual(["redmine", true]);
  expect(await portage.json("tool", "disable", "redmine")).toMatchObject({ name: "redmine", enabled: false });
  expect(await names()).toContainEqual(["redmine", false]);
  expect(await portage.json("tool", "enable", "redmine")).toMatchObject({ enabled: true });
});

const setClient = (tool: string, id: string, origin = "https://acme.example") => [
  "set-oauth-client",
  tool,
  "--client-id",
  id,
  "--origin",
  origin,
];

test.each(["acme.example", "ftp://acme.example", "https://acme.example/a", "https://jo:word@acme.example"])(
  "%s is no origin for an OAuth client",
  async (origin) => {
    const { code, stderr } = await portage.run("tool", ...setClient("redmine", "x", origin));
    expect(code).toBe(2);
    expect(stderr).toContain("An origin has a scheme, a host and no path.");
  },
);

test("an unknown tool: the error says how to list the tools", async () => {
  const { code, stderr } = await portage.run("tool", "show", "nothing");
  expect(code).toBe(1);
  expect(stderr).toContain("portage tool list");
});

test("a tool without OAuth accepts no OAuth client", async () => {
  const { withStdin } = createProgram(() => portage.env);
  const { code, stderr } = await withStdin("top-secret", "tool", ...setClient("redmine", "x"));
  expect(code).toBe(1);
  expect(stderr).not.toContain("top-secret");
  expect(stderr).toContain("no OAuth sign-in");
});

test("the OAuth client of a tool from another package: stdin supplies its secret, and no output shows it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "operator-"));
  const at = join(folder, "node_modules/portage-acme");
  mkdirSync(at, { recursive: true });
  writeFileSync(
    join(at, "package.json"),
    JSON.stringify({ name: "portage-acme", type: "module", exports: "./index.js" }),
  );
  writeFileSync(
    join(at, "index.js"),
    `export const connector = { check: async () => ({}), manifest: { kit: 1, name: "acme", label: "Acme", families: ["helpdesk"],
       roles: ["source"], settings: { safeParse: () => ({ success: true }) }, hosts: () => ({ api: ["https://acme.example"] }),
       grace: { lateWriteMs: 0, findLagMs: 0 }, auth: { kind: "oauth2" } } };`,
  );
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [join(import.meta.dirname, "cli.ts"), "tool", ...words, "--json"], {
      cwd: folder,
      env: { ...portage.env, PORTAGE_CONNECTORS: "portage-acme" },
      input: "the-client-secret\n",
      encoding: "utf8",
    });
  const answer = run(...setClient("acme", "client-7"));
  expect(JSON.parse(answer)).toMatchObject({
    oauth_clients: [{ origin: "https://acme.example", client_id: "client-7" }],
    oauth_callback_url: "http://127.0.0.1:3999/oauth/callback/acme",
  });
  expect(answer + run("list")).not.toContain("the-client-secret");
  expect(JSON.parse(run("clear-oauth-client", "acme"))).toMatchObject({ oauth_clients: [] });
  rmSync(folder, { recursive: true });
});
