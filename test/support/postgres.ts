import { execFile, execFileSync } from "node:child_process";
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface PostgresServer {
  readonly url: string;
  readonly pid: () => number;
  start(): void;
  /** The same without holding up this process: load can go on meanwhile. */
  startAside(): Promise<void>;
  /** A signal to the server and to each of its children, whom it can't tell any more. */
  signalAll(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
  stop(mode?: "fast" | "immediate"): void;
  /** Stop it and forget its data. */
  remove(): void;
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

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
      return []; // it ended while we looked
    }
  });

/** A private PostgreSQL server on loopback, with its own data folder. As root it runs as the user postgres. */
export const createPostgres = async (settings: Record<string, string> = {}): Promise<PostgresServer> => {
  const bin = binaries();
  const folder = mkdtempSync(join(tmpdir(), "portage-pg-"));
  const asRoot = process.getuid?.() === 0;
  const line = (command: string, args: string[]): [string, string[]] =>
    asRoot ? ["runuser", ["-u", "postgres", "--", join(bin, command), ...args]] : [join(bin, command), args];
  const run = (command: string, args: string[]) =>
    execFileSync(...line(command, args), { stdio: "pipe", cwd: "/" });
  if (asRoot) {
    const ids = execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }).trim();
    chownSync(folder, Number(ids), Number(ids));
  }
  const data = join(folder, "data");
  run("initdb", ["-D", data, "-U", "portage", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
  const port = await freePort();
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
  const start = ["-D", data, "-l", join(folder, "log"), "-w", "-o", flags.join(" "), "start"];
  return {
    url: `postgres://portage@127.0.0.1:${port}/postgres`,
    pid,
    start: () => void run("pg_ctl", start),
    async startAside() {
      await promisify(execFile)(...line("pg_ctl", start), { cwd: "/" });
    },
    signalAll(signal) {
      const postmaster = pid();
      const children = childrenOf(postmaster);
      for (const each of [postmaster, ...children]) process.kill(each, signal);
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
