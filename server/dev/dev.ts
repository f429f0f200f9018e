// `npm run dev`: runs everything that a clean clone needs besides PostgreSQL, in one terminal.
import { randomBytes } from "node:crypto";
import type { Children } from "./children.ts";
import { developmentDatabaseUrl } from "./database-url.ts";
import { demoPartner } from "./demo-partner.ts";
import { devFolder, keep, readKept, writeShellFile } from "./kept.ts";
import { openMigratedDatabase } from "./migrated-database.ts";
import { developmentAllowances } from "./outbound-allow.ts";
import { pagesPlan, untilPagesBuilt } from "./pages.ts";
import { choosePorts } from "./ports.ts";
import { runUntilStopped } from "./run.ts";
import { startService } from "./service.ts";

const databaseUrl = developmentDatabaseUrl(process.env);

const prepareDatabase = async () => {
  const { created, migrations, db } = await openMigratedDatabase(databaseUrl, "portage dev");
  console.log(`database  ${created ? "created, " : ""}${migrations} migrations applied`);
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
  reference      ${url}/docs/api
  documentation  ${url}/docs (built by: npm run build:site)
  Restate        ${restateAdmin}/ui
  token          ${token}

Try it:

  curl -u ${token}:X ${url}/api/v2.1/tools

In another terminal, ". .dev/env" sets the variables for the CLI: npx portage import list
To see a whole move with data in it, stop this and run: npm run demo
Ctrl-C stops everything.
`;

const start = async (children: Children): Promise<void> => {
  const { keys, token, partnerId } = await prepareDatabase();
  const ports = await choosePorts(process.env);
  children.start(pagesPlan(devFolder, ["--watch"]));
  const publicUrl = process.env["PUBLIC_URL"] || `http://127.0.0.1:${ports.api}`;
  const service = startService(children, {
    folder: devFolder,
    databaseUrl,
    keys,
    ports,
    watched: true,
    // The CLI checks addresses against it as the service does.
    env: {
      OUTBOUND_ALLOW: developmentAllowances(publicUrl, process.env["OUTBOUND_ALLOW"]),
      WEBHOOK_ALLOW: developmentAllowances(publicUrl, process.env["WEBHOOK_ALLOW"]),
    },
  });
  await Promise.all([service.ready, untilPagesBuilt(devFolder)]);
  writeShellFile({
    ...service.variables,
    PORTAGE_URL: service.url,
    PORTAGE_TOKEN: token,
    PORTAGE_PARTNER: partnerId,
  });
  console.log(introduction(service.url, service.restateAdmin, token));
  await children.ended;
};

await runUntilStopped({ command: "npm run dev", folder: devFolder, databaseUrl, start });
