import { execFile, execFileSync } from "node:child_process";
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { guardPostgres } from "./postgres-guard.ts";
import { freePort } from "./free-port.ts";

export interface PostgresServer {
  readonly url: string;
  /** Its data folder. */
  readonly data: string;
  readonly pid: () => number;
  start(): void;
  /** The same without blocking this process: load can continue meanwhile. */
  startAside(): Promise<void>;
  /** Signals the server and each of its children, since a killed server can't. */
  signalAll(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  /** kill -9 of all its processes; waits for their end, so that the server can start again. */
  kill(): Promise<void>;
  stop(mode?: "fast" | "immediate"): void;
  /** The rows that a statement answers. */
  ask(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Makes a standby that runs the primary, and waits until it accepts writes. */
  promote(): Promise<void>;
  /** Copies its data to a new folder while it runs. */
  backUp(folder: string): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): void;
}

const binaries = () => {
  const found = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (!found)
    throw new Error("No PostgreSQL server found: apt-get install postgresql, or set TEST_DATABASE_URL.");
  return found;
};

const childrenOf = (pid: number): readonly number[] =>
  globSync("/proc/[0-9]*/stat").flatMap((file) => {
    try {
      const [, parent] = /\) \S (\d+) /.exec(readFileSync(file, "utf8")) ?? [];
      return Number(parent) === pid ? [Number(file.split("/")[2])] : [];
    } catch {
      return []; // the process ended in between
    }
  });

/** A zombie that its parent has not reaped yet holds no resources. */
const isWorking = (pid: number) => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

/** Of a base backup: neither waits for a checkpoint of its own time nor for the disk. */
const quickly = ["-c", "fast", "--no-sync"];

/**
 * The data that a server starts with: a copy of another server's folder, a base backup of a running server, or what a tool
 * for backups puts into the folder.
 */
export type Origin =
  | { readonly copyOf: string }
  | { readonly standbyOf: string }
  | { fill(data: string): Promise<void> };

/**
 * A private PostgreSQL server on loopback, with its own data folder. As root it runs as the user postgres. Without an origin
 * its data are new. The server of a copied folder must not be running.
 */
export const createPostgres = async (
  settings: Readonly<Record<string, string>> = {},
  origin?: Origin,
): Promise<PostgresServer> => {
  const bin = binaries();
  const folder = mkdtempSync(join(tmpdir(), "portage-pg-"));
  guardPostgres(folder);
  const asRoot = process.getuid?.() === 0;
  const line = (command: string, args: string[]): [string, string[]] =>
    asRoot ? ["runuser", ["-u", "postgres", "--", join(bin, command), ...args]] : [join(bin, command), args];
  const run = (command: string, args: string[]) =>
    execFileSync(...line(command, args), { stdio: "pipe", cwd: "/" });
  const runAside = (command: string, args: string[]) =>
    promisify(execFile)(...line(command, args), { cwd: "/" });
  if (asRoot) {
    const ids = execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }).trim();
    chownSync(folder, Number(ids), Number(ids));
  }
  const data = join(folder, "data");
  if (origin === undefined)
    run("initdb", [
      "-D",
      data,
      "-U",
      "portage",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    ]);
  // Not Node's own copy: this one keeps owners and modes.
  else if ("copyOf" in origin) execFileSync("cp", ["--archive", origin.copyOf, data]);
  else if ("fill" in origin) await origin.fill(data);
  else await runAside("pg_basebackup", ["-D", data, "-d", origin.standbyOf, "-R", ...quickly]);
  const port = await freePort();
  const url = `postgres://portage@127.0.0.1:${port}/postgres`;
  const options = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: folder,
    max_connections: "300",
    fsync: "off",
    ...settings,
  };
  const flags = Object.entries(options).map(([name, value]) => `-c ${name}='${value}'`);
  const stop = (mode: "fast" | "immediate" = "fast") =>
    void run("pg_ctl", ["-D", data, "-w", "-m", mode, "stop"]);
  const pid = () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  const all = () => [pid(), ...childrenOf(pid())];
  const start = ["-D", data, "-l", join(folder, "log"), "-w", "-o", flags.join(" "), "start"];
  return {
    url,
    data,
    pid,
    start: () => void run("pg_ctl", start),
    async startAside() {
      await runAside("pg_ctl", start);
    },
    async ask(text) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        await client.end();
      }
    },
    async promote() {
      await runAside("pg_ctl", ["-D", data, "-w", "promote"]);
    },
    async backUp(to) {
      await runAside("pg_basebackup", ["-D", to, "-d", url, ...quickly]);
    },
    signalAll(signal) {
      for (const each of all()) process.kill(each, signal);
    },
    async kill() {
      const killed = all();
      for (const each of killed) process.kill(each, "SIGKILL");
      while (killed.some(isWorking)) await sleep(20);
      // Until the zombies are reaped, the next server would take the lock files' owner for alive.
      for (const lock of [join(data, "postmaster.pid"), join(folder, `.s.PGSQL.${port}.lock`)])
        rmSync(lock, { force: true });
    },
    stop,
    remove() {
      try {
        stop("immediate");
      } catch {
        // it may be down already: a test may have killed it
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
