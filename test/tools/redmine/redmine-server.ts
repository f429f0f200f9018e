import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../../support/free-port.ts";
import { timed } from "../../support/set-up-times.ts";
import { dumpInto, fillDatabase, fillFrom, makeItsOwn } from "./prepared-database.ts";
import { startDatabase, stopDatabase } from "./redmine-database.ts";
import { idsOf, layOutFolder, type RedmineFolder, redmineFolder, removeFolder } from "./redmine-folder.ts";
import { isAlive } from "../../support/is-alive.ts";

export interface RedmineServer {
  readonly url: string;
  readonly adminLogin: string;
  readonly adminPassword: string;
  readonly adminKey: string;
  readonly folder: string;
  /** Its own database, in the format of pg. */
  readonly database: { readonly host: string; readonly user: string; readonly database: string };
  /** Runs Ruby inside Redmine, for what its REST interface can't do; returns the output. */
  ruby(script: string): Promise<string>;
  /** The recipients of its mails, once per mail. */
  mailedTo(): readonly string[];
  /** Stops it; a folder that the caller gave stays. */
  stop(): Promise<void>;
}

export interface RedmineOptions {
  /** Default: a new one, removed at the end. A given folder keeps its data, and the call reuses a running server. */
  readonly folder?: string;
  readonly port?: number;
  readonly workers?: number;
  /** Where its mail goes; default: into files, see `mailedTo`. */
  readonly smtpPort?: number;
  /** Initial contents, from `keepContents`. */
  readonly contents?: string;
}

interface State {
  readonly port: number;
  readonly pid: number;
  readonly adminKey: string;
}

const home = "/usr/share/redmine";
const adminPassword = "only-for-tests-4711";
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const environment = (folder: RedmineFolder, port: number) => ({
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: join(folder.root, "redmine"),
  TMPDIR: join(folder.root, "redmine", "tmp"),
  RAILS_ENV: "production",
  REDMINE_INSTANCE: folder.instance,
  REDMINE_LANG: "en",
  SCHEMA: "/dev/null",
  LANG: "C.UTF-8",
  // compiled at runtime: a third less CPU time per request
  RUBYOPT: "-W0 --yjit",
  PORTAGE_HOST: `127.0.0.1:${port}`,
  PORTAGE_PASSWORD: adminPassword,
});

// Not the blocking call: this process must notice when the server closes idle connections, before it reuses one.
const bundle = async (folder: RedmineFolder, port: number, args: readonly string[], input = "") => {
  const running = promisify(execFile)("bundle", ["exec", ...args], {
    ...idsOf("www-data"),
    cwd: home,
    env: environment(folder, port),
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
};

const readState = (folder: RedmineFolder): State | null =>
  existsSync(folder.state) ? (JSON.parse(readFileSync(folder.state, "utf8")) as State) : null;

const answers = async (url: string, key: string) => {
  try {
    const answer = await fetch(`${url}/users/current.json`, {
      headers: { "x-redmine-api-key": key },
      signal: AbortSignal.timeout(30_000),
    });
    return answer.status === 200;
  } catch {
    return false;
  }
};

/** As hard to guess as the key, and derived from it: a reused server has the same one. */
const rubyDoor = (adminKey: string) => createHash("sha256").update(`ruby ${adminKey}`).digest("hex");

const runRuby = async (url: string, script: string): Promise<string> => {
  const answer = await fetch(url, { method: "POST", body: script, signal: AbortSignal.timeout(300_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
};

const startPuma = async (folder: RedmineFolder, port: number, adminKey: string, workers: number) => {
  // Copied: the server's user may not be able to read the checkout.
  const rackup = join(folder.root, "with-ruby.ru");
  copyFileSync(here("with-ruby.ru"), rackup);
  const log = openSync(join(folder.root, "puma.log"), "w");
  const puma = spawn(
    "bundle",
    [
      "exec",
      "puma",
      "-q",
      "-e",
      "production",
      "-b",
      `tcp://127.0.0.1:${port}`,
      "-w",
      `${workers}`,
      "-t",
      "4:4",
      "--preload",
      rackup,
    ],
    {
      ...idsOf("www-data"),
      cwd: home,
      env: { ...environment(folder, port), PORTAGE_RUBY_DOOR: rubyDoor(adminKey) },
      stdio: ["ignore", log, log],
      detached: true,
    },
  );
  puma.unref();
  closeSync(log);
  const pid = puma.pid ?? 0;
  writeFileSync(folder.state, JSON.stringify({ port, pid, adminKey } satisfies State), { mode: 0o600 });
  for (let waited = 0; waited < 120_000; waited += 250) {
    if (await answers(`http://127.0.0.1:${port}`, adminKey)) return;
    if (puma.exitCode !== null || !isAlive(pid)) break;
    await wait(250);
  }
  throw new Error(
    `Redmine did not start: ${readFileSync(join(folder.root, "puma.log"), "utf8").slice(-2_000)}`,
  );
};

/** Its attachments, with their owner and dates. */
const copyFiles = (from: string, { root }: RedmineFolder) =>
  void execFileSync("cp", ["--archive", join(from, "files"), join(root, "redmine")]);

/** Saves the records and files of an instance to a folder, as initial contents for others. */
export const keepContents = (server: RedmineServer, target: string): void => {
  const folder = redmineFolder(server.folder);
  dumpInto(target, folder, idsOf("postgres"));
  execFileSync("cp", ["--archive", join(folder.root, "redmine", "files"), target]);
};

export const stopRedmine = async (root: string, forget: boolean): Promise<void> => {
  const folder = redmineFolder(root);
  const pid = readState(folder)?.pid ?? 0;
  if (pid > 0 && isAlive(pid)) {
    process.kill(pid, "SIGTERM");
    for (let waited = 0; isAlive(pid) && waited < 10_000; waited += 100) await wait(100);
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  }
  if (existsSync(folder.database)) stopDatabase(folder, idsOf("postgres"));
  if (forget) removeFolder(folder);
};

const start = async (options: RedmineOptions): Promise<RedmineServer> => {
  const folder = redmineFolder(options.folder ?? mkdtempSync(join(tmpdir(), "portage-redmine-")));
  execFileSync(here("install.sh"), { stdio: ["ignore", "ignore", "pipe"] });
  layOutFolder(folder, idsOf("www-data"), idsOf("postgres"), options.smtpPort);
  const known = readState(folder);
  const runs =
    known !== null && isAlive(known.pid) && (await answers(`http://127.0.0.1:${known.port}`, known.adminKey));
  const port = runs ? known.port : (options.port ?? known?.port ?? (await freePort()));
  let adminKey = known?.adminKey ?? "";
  if (!runs) {
    startDatabase(folder, idsOf("postgres"));
    if (!known) {
      const setUp = readFileSync(here("prepare.rb"), "utf8");
      const migrate = async () => {
        await bundle(folder, port, ["rake", "db:migrate"]);
        await bundle(folder, port, ["rails", "runner", "-"], setUp);
      };
      if (options.contents) {
        fillFrom(options.contents, folder, idsOf("postgres"));
        copyFiles(options.contents, folder);
      } else await fillDatabase(folder, idsOf("postgres"), { setUp, migrate });
      adminKey = makeItsOwn(folder, idsOf("postgres"), `127.0.0.1:${port}`);
    }
    await startPuma(folder, port, adminKey, options.workers ?? 2);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    adminLogin: "admin",
    adminPassword,
    adminKey,
    folder: folder.root,
    database: { host: folder.socket, user: "redmine", database: "redmine" },
    ruby: (script) => runRuby(`http://127.0.0.1:${port}/${rubyDoor(adminKey)}`, script),
    mailedTo: () =>
      readdirSync(folder.mails).flatMap((address) =>
        readFileSync(join(folder.mails, address), "utf8")
          .split("\n")
          .filter((line) => /^Message-ID:/i.test(line))
          .map(() => address),
      ),
    stop: () => stopRedmine(folder.root, options.folder === undefined),
  };
};

/** A real Redmine on loopback, with its own database and folder. Needs root; installs what is missing. */
export const startRedmine = (options: RedmineOptions = {}): Promise<RedmineServer> =>
  timed("Redmine", () => start(options));
