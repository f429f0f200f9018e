import { execFile, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../support/free-port.ts";
import { createPostgres } from "../../support/postgres.ts";
import { timed } from "../../support/set-up-times.ts";
import { siteConfig } from "./site-config.ts";
import { isAlive } from "../../support/is-alive.ts";

export interface RequestTracker {
  readonly url: string;
  /** Of the user root, who has all rights. */
  readonly token: string;
  readonly username: string;
  readonly password: string;
  /** Its own database, in the format of pg. */
  readonly database: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Stops it, and saves its contents to a folder, as initial contents for others. */
  keepContents(target: string): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

export interface RequestTrackerNeeds {
  /** Where its mail goes; default: a port without a listener. */
  readonly smtpPort?: number;
  readonly port?: number;
  readonly workers?: number;
  /** Initial contents, from `keepContents`. */
  readonly contents?: string;
}

const home = import.meta.dirname;
const share = "/usr/share/request-tracker5";
const password = "root-of-the-tests";

const idOf = (kind: "-u" | "-g") =>
  Number(execFileSync("id", [kind, "www-data"], { encoding: "utf8" }).trim());

const endProcess = async (pid: number) => {
  if (isAlive(pid)) process.kill(pid, "SIGTERM");
  for (let tries = 0; tries < 50 && isAlive(pid); tries += 1) await wait(100);
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
};

const isReady = async (url: string, token: string) => {
  const answer = await fetch(`${url}/REST/2.0/rt`, { headers: { authorization: `token ${token}` } }).catch(
    () => null,
  );
  await answer?.text();
  return answer?.status === 200;
};

/** Installs it if it is missing. Needs root, Debian 12 and, the first time, its package mirror. */
export const installRequestTracker = () =>
  void execFileSync(join(home, "install.sh"), { stdio: ["ignore", "ignore", "inherit"], timeout: 900_000 });

const start = async (needs: RequestTrackerNeeds): Promise<RequestTracker> => {
  installRequestTracker();
  const port = needs.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const database = await createPostgres(
    { synchronous_commit: "off", full_page_writes: "off", jit: "off" },
    needs.contents === undefined ? undefined : { copyOf: join(needs.contents, "data") },
  );
  database.start();
  const folder = mkdtempSync(join(tmpdir(), "portage-rt-"));
  const owner = { uid: idOf("-u"), gid: idOf("-g") };
  chmodSync(folder, 0o755);
  chownSync(folder, owner.uid, owner.gid);
  for (const name of ["mason", "session", "conf.d", "tmp"]) {
    mkdirSync(join(folder, name));
    chownSync(join(folder, name), owner.uid, owner.gid);
  }
  const config = join(folder, "RT_SiteConfig.pm");
  const databasePort = Number(new URL(database.url).port);
  writeFileSync(config, siteConfig({ port, databasePort, smtpPort: needs.smtpPort ?? 9, folder }));
  const options = {
    ...owner,
    cwd: "/",
    env: {
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: folder,
      TMPDIR: join(folder, "tmp"),
      LANG: "C.UTF-8",
      PERL5LIB: join(share, "lib"),
      RT_SITE_CONFIG: config,
      RT_SITE_CONFIG_DIR: join(folder, "conf.d"),
    },
  };
  const run = promisify(execFile);
  let pid: number | null = null;
  const stop = async () => {
    if (pid !== null) await endProcess(pid);
    database.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const setUp = async () => {
      const sql = ["-h", "127.0.0.1", "-p", String(databasePort), "-U", "portage", "-q", "-d", "postgres"];
      await run("psql", [...sql, "-c", "create database rt encoding 'UTF8' template template0"]);
      const secret = join(folder, "password");
      writeFileSync(secret, `${password}\n`);
      const flags = ["--action", "init", "--skip-create", "--root-password-file", secret];
      await run("/usr/sbin/rt-setup-database-5", flags, options);
      // Read here: the server's user may not be able to read the checkout.
      const prepare = run("perl", ["-"], options);
      prepare.child.stdin?.end(readFileSync(join(home, "prepare.pl")));
      return (await prepare).stdout.trim();
    };
    const token =
      needs.contents === undefined ? await setUp() : readFileSync(join(needs.contents, "token"), "utf8");
    const log = openSync(join(folder, "rt.log"), "a");
    const flags = [
      "--server",
      "Starlet",
      "--env",
      "deployment",
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
    ];
    const workers = ["--max-workers", String(needs.workers ?? 6), "--max-reqs-per-child", "1000"];
    const server = spawn(join(share, "libexec/rt-server"), [...flags, ...workers], {
      ...options,
      stdio: ["ignore", log, log],
    });
    server.unref();
    pid = server.pid ?? null;
    for (let tries = 0; !(await isReady(url, token)); tries += 1) {
      if (tries > 240 || server.exitCode !== null)
        throw new Error(`Request Tracker did not start: ${readFileSync(join(folder, "rt.log"), "utf8")}`);
      await wait(250);
    }
    const at = { host: "127.0.0.1", port: databasePort, user: "portage", database: "rt" };
    const keepContents = async (target: string) => {
      if (pid !== null) await endProcess(pid);
      database.stop();
      execFileSync("cp", ["--archive", database.data, target]);
      writeFileSync(join(target, "token"), token);
    };
    return { url, token, username: "root", password, database: at, keepContents, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** A real Request Tracker on loopback, with its own database and data folder. */
export const startRequestTracker = (needs: RequestTrackerNeeds = {}): Promise<RequestTracker> =>
  timed("Request Tracker", () => start(needs));
