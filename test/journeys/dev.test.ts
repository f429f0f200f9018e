import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createCli } from "../support/cli.ts";
import { descendants, type DevRun, startInShell } from "../support/dev-run.ts";
import { isAlive } from "../support/is-alive.ts";
import { freePort } from "../support/free-port.ts";
import { patienceMs } from "../support/patience.ts";
import { createPostgres, type PostgresServer } from "../support/postgres.ts";
import { trackedFiles } from "../support/tracked-files.ts";

const root = join(import.meta.dirname, "../..");
const shell = promisify(execFile);

let postgres: PostgresServer;
let clone: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  postgres = await createPostgres();
  postgres.start();
  // A copy, so that the test neither reads nor writes the .dev folder of this working tree.
  clone = mkdtempSync(join(tmpdir(), "portage-dev-"));
  for (const file of trackedFiles(root)) cpSync(join(root, file), join(clone, file), { recursive: true });
  linkModules();
  const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
  env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    DATABASE_URL: postgres.url.replace(/\/postgres$/, "/portage_dev_journey"),
    PORT: String(ports[0]),
    RESTATE_INGRESS_PORT: String(ports[1]),
    RESTATE_ADMIN_PORT: String(ports[2]),
    RESTATE_NODE_PORT: String(ports[3]),
    WORKER_PORT: String(ports[4]),
    WORKER_HEALTH_PORT: String(ports[5]),
  };
});
afterAll(() => {
  postgres.remove();
  rmSync(clone, { recursive: true, force: true });
});

/** The packages of this working tree, with the workspaces of the copy. */
const linkModules = () => {
  mkdirSync(join(clone, "node_modules/@portage"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@portage") symlinkSync(join(root, "node_modules", name), join(clone, "node_modules", name));
  for (const name of readdirSync(join(root, "node_modules/@portage")))
    symlinkSync(join("../..", name), join(clone, "node_modules/@portage", name));
};

const start = (): DevRun => {
  const run = startInShell("npm run dev", { cwd: clone, env });
  onTestFinished(() => run.forceEnd());
  return run;
};

/** Runs the printed line unchanged; a .curlrc makes curl print the status too. */
const tryLine = async (line: string) => {
  const home = mkdtempSync(join(tmpdir(), "portage-curl-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, ".curlrc"), 'silent\nwrite-out = "\\n%{http_code}"\n');
  const { stdout } = await shell("sh", ["-c", line], { env: { ...env, CURL_HOME: home } });
  const [body = "", status = ""] = stdout.split(/\n(?=\d{3}$)/);
  return { status, body };
};

const partnerOf = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, ".dev/kept.json"), "utf8")) as { partnerId: string }).partnerId;

const curlLine = /^ {2}(curl -u (ptg_live_\w{40}):X \S+)$/m;

const expectAllGone = async (run: DevRun, pids: readonly number[]) => {
  await run.exited;
  expect(pids.filter(isAlive)).toEqual([]);
  expect(existsSync(join(clone, ".dev/running.json"))).toBe(false);
};

test("starts from a clean clone, leaves nothing behind, and keeps the partner on the second start", async () => {
  const first = start();
  const [, line = "", token = ""] = await first.printed(curlLine);
  expect(first.output()).toContain("database  created, ");
  const answer = await tryLine(line);
  expect(answer.status).toBe("200");
  expect(JSON.parse(answer.body)).toContainEqual(expect.objectContaining({ name: "request-tracker" }));
  for (const [, url = ""] of first.output().matchAll(/^ {2}(?:documentation|Restate) +(http\S+)$/gm))
    expect((await fetch(url)).status).toBe(200);
  for (const file of ["env", "kept.json", "restate-identity.pem"])
    expect(statSync(join(clone, ".dev", file)).mode & 0o777, file).toBe(0o600);

  const shown = await shell("sh", ["-c", ". .dev/env; env"], { cwd: clone });
  const portage = createCli(
    Object.fromEntries(shown.stdout.split("\n").map((entry) => entry.split(/=(.*)/s) as [string, string])),
  );
  // The watchers may just be starting a process again: a file that they watch was touched.
  const works = /^ok +worker: http:\/\/127\.0\.0\.1:\d+\/\S+ is registered and answers Restate$/m;
  const examine = async () => (await portage.run("doctor")).stdout;
  await expect.poll(examine, { timeout: patienceMs, interval: 1_000 }).toMatch(works);
  const doctor = await portage.run("doctor");
  expect(doctor, doctor.stdout).toMatchObject({ code: 0 });
  expect(doctor.stdout).toMatch(/^ok +request identity: required; keys configured: 1$/m);
  const { partners } = await portage.json<{ partners: { id: string; name: string }[] }>("partner", "list");
  expect(partners.map(({ name }) => name)).toEqual(["Acme"]);

  const beside = startInShell("npm run dev", { cwd: clone, env });
  expect(await beside.exited).toMatchObject({ code: 1 });
  expect(beside.output()).toContain("npm run dev is running already");

  const children = descendants(first.pid);
  // npm's child, Restate, two watchers, the API, the worker
  expect(children.length).toBeGreaterThanOrEqual(6);
  // Ctrl-C: the terminal signals the whole group, and npm forwards the signal once more.
  process.kill(-first.pid, "SIGINT");
  await expectAllGone(first, children);

  const second = start();
  const [, again = "", sameToken] = await second.printed(curlLine);
  expect(sameToken).toBe(token);
  expect((await tryLine(again)).status).toBe("200");
  expect(await portage.json("partner", "list")).toMatchObject({
    partners: [{ id: partners[0]?.id }],
    next: null,
  });
  const later = descendants(second.pid);
  process.kill(second.pid, "SIGTERM");
  await expectAllGone(second, later);
});

test("replaces taken ports by free ones, and a lost token by a new one", async () => {
  const { createServer } = await import("node:net");
  const squatter = createServer().listen(Number(env["PORT"]), "127.0.0.1");
  onTestFinished(() => void squatter.close());
  const partnerBefore = partnerOf(clone);
  rmSync(join(clone, ".dev"), { recursive: true, force: true });
  const run = start();
  const [, line = ""] = await run.printed(curlLine);
  expect(line).not.toContain(`:${env["PORT"]}/`);
  expect((await tryLine(line)).status).toBe("200");
  expect(partnerOf(clone)).toBe(partnerBefore);
  const children = descendants(run.pid);
  process.kill(run.pid, "SIGTERM");
  await expectAllGone(run, children);
});

test("without PostgreSQL it says what to do and leaves nothing running", async () => {
  const nowhere = `postgres://ann:hunter2@127.0.0.1:${await freePort()}/portage`;
  const run = startInShell("npm run dev", { cwd: clone, env: { ...env, DATABASE_URL: nowhere } });
  expect(await run.exited).toMatchObject({ code: 1 });
  expect(run.output()).toMatch(/PostgreSQL can't be reached at 127\.0\.0\.1:\d+\/portage/);
  expect(run.output()).toContain("apt-get install postgresql");
  expect(run.output()).not.toContain("hunter2");
  expect(existsSync(join(clone, ".dev/running.json"))).toBe(false);
});
