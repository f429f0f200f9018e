import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Cli, createCli } from "../../../test/support/cli.ts";
import { createTestDatabase, templateUrl, type TestDatabase } from "../../../test/support/database.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { givenPartner, testRegistry, testSealer } from "../../../test/support/fixtures.ts";
import { createImport } from "../features/imports/index.ts";
import serverPackage from "../../../package.json" with { type: "json" };
import {
  judgeClock,
  judgeDurability,
  judgeMigrations,
  judgeRetention,
  judgeVersion,
} from "./doctor/database.ts";
import { checkNode, oldestNode } from "./doctor/local.ts";

interface Examined {
  readonly ok: boolean;
  readonly findings: readonly { part: string; state: string; message: string; fix: string | null }[];
}

let db: TestDatabase;
let portage: Cli;
const servers: Server[] = [];

/** A stub server with fixed responses, in place of Restate and the API. */
const serve = async (answers: Readonly<Record<string, object>>): Promise<string> => {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? {}));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const withEmptyDatabase = async (name: string, work: (url: string) => Promise<void>) => {
  const admin = new pg.Client({
    connectionString: (await templateUrl()).replace(/\/postgres$/, "/template1"),
  });
  await admin.connect();
  try {
    await admin.query(`create database ${name} template template0`);
    await work((await templateUrl()).replace(/\/postgres$/, `/${name}`));
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
};

const examine = async (cli: Cli) => {
  const { code, stdout } = await cli.run("doctor", "--json");
  return { code, ...(JSON.parse(stdout) as Examined) };
};
const find = ({ findings }: Examined, part: string) => findings.find((finding) => finding.part === part);

beforeAll(async () => {
  db = await createTestDatabase();
  portage = createCli({ DATABASE_URL: db.url });
});
afterAll(() => db.drop());
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe("migrate", () => {
  test("lists applied migrations, is idempotent, and other commands require it", async () => {
    await withEmptyDatabase("cli_migrate", async (url) => {
      const empty = createCli({ DATABASE_URL: url });
      const early = await empty.run("partner", "list");
      expect(early).toEqual({
        code: 1,
        stdout: "",
        stderr: "The database has no tables yet.\nRun: portage migrate\n",
      });
      const first = await empty.run("migrate");
      expect(first).toMatchObject({ code: 0, stderr: "" });
      expect(first.stdout).toMatch(/^applied 000001_partners_and_tokens\.sql\n/);
      expect(first.stdout).toMatch(/The database is at version \d+\.\n$/);
      expect(await empty.json("migrate")).toMatchObject({ applied: [] });
      expect((await empty.run("partner", "list")).stdout).toContain("portage partner create");
      expect((await empty.run("migrate")).stdout).toContain("Nothing to do");
    });
  });

  test("refuses a database that a newer release migrated", async () => {
    await withEmptyDatabase("cli_newer", async (url) => {
      const cli = createCli({ DATABASE_URL: url });
      await cli.json("migrate");
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("insert into schema_migrations (version, name, checksum) values (999, 'x', 'y')");
      await client.end();
      const ran = await cli.run("migrate");
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toMatch(
        /The database is at version 999, this release supports \d+: run a newer release\./,
      );
      expect(ran.stderr).toContain("portage migrate --allow-newer");
      // The way back: the older release starts on the newer schema, and its other commands work.
      const back = await cli.run("migrate", "--allow-newer");
      expect(back).toMatchObject({ code: 0, stderr: "" });
      expect(back.stdout).toMatch(
        /a newer release brought the database to version 999; this release supports/,
      );
      expect((await cli.run("partner", "list")).code).toBe(0);
    });
  });
});

describe("an environment error names the fix", () => {
  test("PostgreSQL is unreachable; the error hides the password", async () => {
    const url = `postgres://ann:hunter2@127.0.0.1:${await freePort()}/portage`;
    for (const words of [["partner", "list"], ["migrate"]]) {
      const ran = await portage.with({ DATABASE_URL: url }).run(...words);
      expect(ran).toMatchObject({ code: 1, stdout: "" });
      expect(ran.stderr).toMatch(/^PostgreSQL can't be reached at 127\.0\.0\.1:\d+\/portage: .*ECONNREFUSED/);
      expect(ran.stderr).toContain("Start it, or correct DATABASE_URL.");
      expect(ran.stderr).not.toContain("hunter2");
    }
  });

  test("the database does not exist", async () => {
    const ran = await portage
      .with({ DATABASE_URL: db.url.replace(/\/[^/]+$/, "/nowhere") })
      .run("partner", "list");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain('database "nowhere" does not exist');
    expect(ran.stderr).toContain("createdb");
  });

  test("a command requires only the variables that it uses", async () => {
    const bare = portage.with({ PORTAGE_KEYS: "", PUBLIC_URL: "" });
    expect((await bare.run("partner", "list")).code).toBe(0);
    const needsKeys = await bare.run("import", "list");
    expect(needsKeys).toMatchObject({ code: 1, stdout: "" });
    expect(needsKeys.stderr).toContain('PORTAGE_KEYS is missing: set it to the output of "portage keys new"');
    expect(needsKeys.stderr).not.toContain("PUBLIC_URL");
  });
});

describe("keys", () => {
  test("new prints a value for PORTAGE_KEYS", async () => {
    const bare = portage.with({ DATABASE_URL: "", PORTAGE_KEYS: "", PUBLIC_URL: "" });
    const { stdout } = await bare.run("keys", "new");
    expect(stdout).toMatch(/^k\d{8}-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=\n$/);
    expect((await portage.with({ PORTAGE_KEYS: stdout.trim() }).run("import", "list")).code).toBe(0);
    const named = await bare.json<{ id: string; entry: string }>("keys", "new", "--id", "k2");
    expect(named.entry).toMatch(/^k2:/);
  });
});

describe("doctor", () => {
  test("a healthy installation: every part is ok and the exit code is 0", async () => {
    const restate = await serve({
      "/restate/health": {},
      "/version": { version: "1.7.12" },
      "/services/Chunk": { deployment_id: "dp_1" },
      "/deployments": {
        deployments: [{ id: "dp_1", uri: "http://127.0.0.1:9080/r1", services: [{ name: "Chunk" }] }],
      },
    });
    const api = await serve({ "/readyz": { status: "ok" } });
    const well = portage.with({ RESTATE_INGRESS_URL: restate, RESTATE_ADMIN_URL: restate, PUBLIC_URL: api });
    const examined = await examine(well);
    expect(examined).toMatchObject({ code: 0, ok: true });
    expect(examined.findings.map(({ part, state }) => `${part} ${state}`)).toEqual([
      "Node.js ok",
      "configuration ok",
      "key ring ok",
      "public address ok",
      "request identity ok",
      "PostgreSQL ok",
      "clocks ok",
      "durability ok",
      "schema ok",
      // the tests' own role is a superuser
      "database role warning",
      "stored secrets ok",
      "retention ok",
      "event order ok",
      "Restate ingress ok",
      "Restate admin ok",
      "worker ok",
      "API ok",
    ]);
    const text = await well.run("doctor");
    expect(text.code).toBe(0);
    expect(text.stdout).toContain(`ok       Restate admin: ${restate}, version 1.7.12`);
  });

  test("an import that the key ring does not decrypt is a problem, although lists show it", async () => {
    const own = await createTestDatabase();
    try {
      const { partner } = await givenPartner(own);
      const create = createImport({
        db: own,
        sealer: testSealer(),
        registry: testRegistry(),
        checkDestination: async () => ({ kind: "not_all_given" }),
      });
      expect(await create(partner, { source_tool: "request-tracker" })).toMatchObject({ kind: "created" });
      const cli = createCli({ DATABASE_URL: own.url });
      expect((await cli.run("import", "list")).code).toBe(0);
      expect(find(await examine(cli), "stored secrets")).toMatchObject({ state: "problem" });
    } finally {
      await own.drop();
    }
  });

  test("nothing runs: each problem has its fix, only the API is a warning, and no secret is shown", async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    const broken = portage.with({
      DATABASE_URL: `postgres://ann:hunter2@${nowhere}/portage`,
      RESTATE_INGRESS_URL: `http://${nowhere}`,
      RESTATE_ADMIN_URL: `http://${nowhere}`,
      PUBLIC_URL: `http://${nowhere}`,
      PORT: "many",
    });
    const examined = await examine(broken);
    expect(examined).toMatchObject({ code: 1, ok: false });
    expect(find(examined, "configuration")).toMatchObject({
      state: "problem",
      message: expect.stringContaining("PORT") as string,
    });
    for (const part of ["PostgreSQL", "Restate ingress", "Restate admin"])
      expect(find(examined, part)).toMatchObject({
        state: "problem",
        fix: expect.stringMatching(/^Start /) as string,
      });
    expect(find(examined, "API")).toMatchObject({ state: "warning" });
    const { code, stdout, stderr } = await broken.run("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^PROBLEM {2}PostgreSQL: .*\n {10}Start it, or correct DATABASE_URL/m);
    expect(stdout + stderr).not.toContain("hunter2");
    expect(stdout).not.toContain(broken.env["PORTAGE_KEYS"]?.split(":")[1]);
  });

  test("reports missing variables, an http public address, and two keys with one id", async () => {
    const missing = await examine(portage.with({ DATABASE_URL: "", PORTAGE_KEYS: "", PUBLIC_URL: "" }));
    const named = missing.findings
      .filter(({ part }) => part === "configuration")
      .map(({ message }) => message);
    expect(named.map((message) => message.split(" ")[0])).toEqual([
      "DATABASE_URL",
      "PORTAGE_KEYS",
      "PUBLIC_URL",
    ]);
    const key = portage.env["PORTAGE_KEYS"] ?? "";
    const open = await examine(
      portage.with({ PUBLIC_URL: "http://portage.invalid", PORTAGE_KEYS: `${key},${key}` }),
    );
    expect(find(open, "public address")).toMatchObject({
      state: "problem",
      fix: expect.stringContaining("https") as string,
    });
    expect(find(open, "configuration")).toMatchObject({
      state: "problem",
      message: expect.stringContaining("PORTAGE_KEYS has two keys with the id") as string,
    });
  });

  test("reports another server in place of Restate, and a Restate that is too old", async () => {
    const other = await serve({ "/version": {} });
    const old = await serve({ "/version": { version: "1.6.9" } });
    const [notIt, tooOld] = await Promise.all(
      [other, old].map((url) => examine(portage.with({ RESTATE_ADMIN_URL: url, RESTATE_INGRESS_URL: url }))),
    );
    expect(notIt && find(notIt, "Restate admin")?.message).toContain("is not Restate");
    expect(notIt && find(notIt, "Restate ingress")?.message).toContain("answers 404");
    expect(tooOld && find(tooOld, "Restate admin")?.message).toContain("1.6.9 is too old");
  });

  test("reports a database that was never migrated", async () => {
    await withEmptyDatabase("cli_doctor", async (url) => {
      const examined = await examine(portage.with({ DATABASE_URL: url }));
      expect(find(examined, "schema")).toMatchObject({ state: "problem", fix: "Run: portage migrate" });
    });
  });

  test("judges what a failover and a crash can lose", () => {
    const on = { synchronousCommit: "on", waitsForStandby: false, standbys: 0 };
    expect(judgeDurability(on)).toMatchObject({ state: "ok" });
    expect(judgeDurability({ ...on, standbys: 2, waitsForStandby: true })).toMatchObject({ state: "ok" });
    expect(judgeDurability({ ...on, standbys: 2 })).toMatchObject({ state: "warning" });
    expect(judgeDurability({ ...on, synchronousCommit: "off" })).toMatchObject({ state: "problem" });
  });

  test("judges versions, clocks, migrations and retention", () => {
    expect(judgeVersion({ versionNumber: 140_011, clockAheadMs: 0 })).toMatchObject({ state: "problem" });
    expect(judgeVersion({ versionNumber: 150_000, clockAheadMs: 0 })).toMatchObject({ state: "ok" });
    expect(judgeClock({ versionNumber: 0, clockAheadMs: 2_000 }).message).toContain("2000 ms ahead of");
    expect(judgeClock({ versionNumber: 0, clockAheadMs: -2_000 }).message).toContain("behind");
    expect(judgeClock({ versionNumber: 0, clockAheadMs: -1_999 })).toMatchObject({ state: "ok" });
    expect(judgeMigrations(2, 3)).toMatchObject({ state: "problem" });
    expect(judgeMigrations(4, 3)).toMatchObject({ state: "warning" });
    const now = new Date("2026-03-10T12:00:00Z");
    const yesterday = new Date("2026-03-09T11:00:00Z");
    const before = new Date("2026-03-08T11:00:00Z");
    expect(judgeRetention(null, null, now)).toMatchObject({ state: "ok" });
    expect(judgeRetention(null, yesterday, now)).toMatchObject({ state: "ok" });
    expect(judgeRetention(null, before, now)).toMatchObject({ state: "warning" });
    expect(judgeRetention(yesterday, before, now)).toMatchObject({ state: "ok" });
    expect(judgeRetention(before, before, now).message).toBe("retention has not run for 2 days");
    expect(checkNode("24.9.0")).toMatchObject({ state: "problem" });
    expect(checkNode("26.0.0")).toMatchObject({ state: "ok" });
    expect(serverPackage.engines.node).toBe(`>=${oldestNode}`);
  });
});
