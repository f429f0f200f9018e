// `npm run dev`: runs everything that a clean clone needs besides PostgreSQL, in one terminal.
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { explainError } from "../src/main/commands/explain-error.ts";
import { createDatabaseIfMissing } from "../src/platform/create-database.ts";
import { openDatabase } from "../src/platform/db.ts";
import { workerFlags } from "../src/main/worker-flags.ts";
import { migrate, readMigrations } from "../src/platform/migrate.ts";
import { type Children, createChildren, refuseSecondRun } from "./children.ts";
import { developmentDatabaseUrl } from "./database-url.ts";
import { demoPartner } from "./demo-partner.ts";
import { devFolder, keep, readKept, writeShellFile } from "./kept.ts";
import { pagesPlan, untilPagesBuilt } from "./pages.ts";
import { choosePorts } from "./ports.ts";
import { restateIdentity, restatePlan } from "./restate.ts";
import { waitUntilReady } from "./wait-until-ready.ts";

const databaseUrl = developmentDatabaseUrl(process.env);

const prepareDatabase = async () => {
  const { created } = await createDatabaseIfMissing(databaseUrl);
  const { applied } = await migrate(databaseUrl, await readMigrations());
  console.log(`database  ${created ? "created, " : ""}${applied.length} migrations applied`);
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 1,
    statementTimeoutMs: 10_000,
    acquireTimeoutMs: 5_000,
    applicationName: "portage dev",
    onConnectionLost: () => {}, // the next query fails with the same error and reports it
  });
  const kept = readKept();
  try {
    const demo = await demoPartner(db, kept);
    const keys = kept.keys ?? `dev:${randomBytes(32).toString("base64")}`;
    // The folder was deleted, but not the database: what the lost key sealed can't be opened any more.
    if (kept.keys === undefined) await db.sql.deleteFrom("keyChecks").execute();
    keep({ ...demo, keys });
    return { ...demo, keys: process.env["PORTAGE_KEYS"] || keys };
  } finally {
    await db.close();
  }
};

const introduction = (url: string, restateAdmin: string, token: string) => `
Portage is ready. Its demo partner is Acme, whose customers move to Redmine.

  API            ${url}/api/v2.1
  sandbox        ${url}/api/sandbox
  simulator      ${url}/api/simulator
  documentation  ${url}/docs/api
  Restate        ${restateAdmin}/ui
  token          ${token}

Try it:

  curl -u ${token}:X ${url}/api/v2.1/tools

In another terminal, ". .dev/env" sets the variables for the CLI: npx portage import list
Ctrl-C stops everything.
`;

const start = async (children: Children) => {
  const { keys, token, partnerId } = await prepareDatabase();
  const ports = await choosePorts(process.env);
  const publicUrl = process.env["PUBLIC_URL"] || `http://127.0.0.1:${ports.api}`;
  const restateAdmin = `http://127.0.0.1:${ports.restateAdmin}`;
  const variables = {
    DATABASE_URL: databaseUrl,
    PORTAGE_KEYS: keys,
    PUBLIC_URL: publicUrl,
    PORT: String(ports.api),
    RESTATE_INGRESS_URL: `http://127.0.0.1:${ports.restateIngress}`,
    RESTATE_ADMIN_URL: restateAdmin,
    RESTATE_IDENTITY_KEYS: restateIdentity(),
    WORKER_PORT: String(ports.worker),
    WORKER_HEALTH_PORT: String(ports.workerHealth),
  };
  const ownUrl = `http://127.0.0.1:${ports.api}`;
  children.start(restatePlan(ports, process.env));
  const watched = (name: string, file: string, flags: readonly string[] = []) =>
    children.start({
      name,
      command: process.execPath,
      args: [...flags, "--watch", "--watch-preserve-output", join(import.meta.dirname, "../src/main", file)],
      // No load balancer here: processes may stop at once.
      env: {
        ...process.env,
        SHUTDOWN_DELAY_MS: "0",
        HOST: "127.0.0.1",
        WORKER_HOST: "127.0.0.1",
        ...variables,
      },
      logFile: null,
    });
  children.start(pagesPlan(process.env));
  watched("the API", "api.ts");
  watched("the worker", "worker.ts", workerFlags);
  await Promise.race([
    Promise.all([
      waitUntilReady("Restate", `${restateAdmin}/health`),
      waitUntilReady("The API", `${ownUrl}/readyz`),
      waitUntilReady("The worker", `http://127.0.0.1:${ports.workerHealth}/readyz`),
      untilPagesBuilt(),
    ]),
    children.ended,
  ]);
  const allowed = process.env["OUTBOUND_ALLOW"];
  writeShellFile({
    ...variables,
    // The CLI checks addresses against it as the service does.
    ...(allowed && { OUTBOUND_ALLOW: allowed }),
    PORTAGE_URL: ownUrl,
    PORTAGE_TOKEN: token,
    PORTAGE_PARTNER: partnerId,
  });
  console.log(introduction(ownUrl, restateAdmin, token));
};

const untilSignal = () =>
  new Promise<void>((resolve) => {
    // on, not once: npm forwards the Ctrl-C that this process already got from the terminal.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });

const explain = (error: unknown): string => {
  const explained = explainError(error, { DATABASE_URL: databaseUrl });
  if (!explained) return error instanceof Error ? error.message : String(error);
  const fix =
    explained.code === "database_unreachable"
      ? "Start PostgreSQL (on Debian: apt-get install postgresql), or set DATABASE_URL to its address."
      : explained.fix;
  return [explained.message, fix].filter(Boolean).join("\n");
};

const signalled = untilSignal();
let children: Children | undefined;
try {
  refuseSecondRun();
  mkdirSync(devFolder, { recursive: true, mode: 0o700 });
  children = createChildren();
  await Promise.race([start(children).then(() => children?.ended), signalled]);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
} finally {
  await children?.stop();
}
process.exit();
