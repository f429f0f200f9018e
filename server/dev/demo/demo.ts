// `npm run demo`: a whole move with believable data, between two help desks that run here; `--headless` plays it by itself.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { dropDatabase } from "../../src/platform/create-database.ts";
import type { ChildPlan, Children } from "../children.ts";
import { developmentDatabaseUrl } from "../database-url.ts";
import { pagesPlan } from "../pages.ts";
import { choosePorts, freePort } from "../ports.ts";
import { runUntilStopped } from "../run.ts";
import { startService } from "../service.ts";
import { waitUntilReady } from "../wait-until-ready.ts";
import { createFerryDesk } from "./ferry-desk.ts";
import { playMove } from "./play-move.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, ".demo");
const startedAt = performance.now();

/** A database of its own, beside the one of `npm run dev`. */
const databaseUrl = Object.assign(new URL(developmentDatabaseUrl(process.env)), {
  pathname: "/portage_demo",
}).href;

const say = (what: string) =>
  console.log(`${String(Math.round((performance.now() - startedAt) / 1000)).padStart(4)} s  ${what}`);

const secret = () => randomBytes(32).toString("base64");

const buildPages = async () => {
  const { command, args, env } = pagesPlan(folder);
  const building = spawn(command, args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const [code] = (await once(building, "exit")) as [number | null];
  if (code !== 0) throw new Error("The wizard's pages could not be built; see above.");
};

const desk = (name: string, file: string, env: Readonly<Record<string, string>>): ChildPlan => ({
  name,
  command: process.execPath,
  args: [join(root, "examples", file)],
  env: { ...process.env, ...env },
  logFile: join(folder, `${name.toLowerCase().replace(" ", "-")}.log`),
});

const introduction = (attic: string, ferry: string) => `
Everything runs. Acme Lamps has its tickets in Attic Desk and wants to move to Ferry Desk.

  Begin here         ${ferry}/moves
  The old help desk  ${attic}
  The new help desk  ${ferry}

Press “Move your data here”, then follow the wizard: connect, free sample, everything. Answer a ticket in the old help desk
and bring the change over; then undo it all. Each start begins afresh. Ctrl-C stops everything.
`;

const start = async (children: Children): Promise<void> => {
  for (const old of ["restate", "ferry"]) rmSync(join(folder, old), { recursive: true, force: true });
  say("a fresh database, portage_demo");
  await dropDatabase(databaseUrl);
  const ports = await choosePorts(process.env);
  const atticPort = await freePort(Number(process.env["ATTIC_PORT"] || 4500));
  const ferryPort = await freePort(Number(process.env["FERRY_PORT"] || 4600));
  const attic = { url: `http://127.0.0.1:${atticPort}`, key: `attic-${randomBytes(16).toString("hex")}` };
  const ferry = { url: `http://127.0.0.1:${ferryPort}`, webhookSecret: `whsec_${secret()}` };
  const keys = `demo:${secret()}`;
  const partner = await createFerryDesk({ databaseUrl, keys, ...ferry });
  say("the wizard's pages");
  await buildPages();
  say("Restate, API and worker; Attic Desk, the old tool; Ferry Desk, the new one");
  const service = startService(children, {
    folder,
    databaseUrl,
    keys,
    ports,
    watched: false,
    env: {
      PORTAGE_CONNECTORS: join(import.meta.dirname, "attic-desk.ts"),
      OUTBOUND_ALLOW: `127.0.0.1:${atticPort},127.0.0.1:${ferryPort}`,
      WEBHOOK_ALLOW: `127.0.0.1:${ferryPort}`,
      ATTIC_URL: attic.url,
      ATTIC_KEY: attic.key,
      LOG_LEVEL: process.env["LOG_LEVEL"] || "warn",
    },
  });
  children.start(
    desk("Attic Desk", "old-desk/src/main.ts", { ATTIC_PORT: String(atticPort), ATTIC_KEY: attic.key }),
  );
  children.start(
    desk("Ferry Desk", "partner-app/src/main.ts", {
      FERRY_PORT: String(ferryPort),
      FERRY_SECRET: `whsec_${secret()}`,
      FERRY_FOLDER: join(folder, "ferry"),
      FERRY_ACCOUNT: "Acme Lamps",
      PORTAGE_URL: service.url,
      PORTAGE_TOKEN: partner.token,
      PORTAGE_WEBHOOK_SECRETS: ferry.webhookSecret,
    }),
  );
  await Promise.all([
    service.ready,
    waitUntilReady("Attic Desk", attic.url),
    waitUntilReady("Ferry Desk", ferry.url),
  ]);
  if (process.argv.includes("--headless"))
    return playMove({ api: service.url, token: partner.token, attic, ferry: ferry.url, say });
  say("ready");
  console.log(introduction(attic.url, ferry.url));
  await children.ended;
};

await runUntilStopped({ command: "npm run demo", folder, databaseUrl, start });
