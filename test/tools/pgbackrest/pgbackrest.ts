import { execFile, execFileSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createPostgres, type PostgresServer } from "../../support/postgres.ts";

/** What operators copy to their machine. */
const scripts = join(import.meta.dirname, "../../../deploy/backup");

/** Installs it if it is missing. Needs root, Debian and, the first time, its package mirror. */
const installPgbackrest = () => {
  if (existsSync("/usr/bin/pgbackrest")) return;
  execFileSync(join(import.meta.dirname, "install.sh"), {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 600_000,
  });
};

export interface Restored {
  readonly server: PostgresServer;
  /** Of the files, without the WAL that the server replays afterwards. */
  readonly filesMs: number;
  /** Until the server accepts writes. */
  readonly ms: number;
  /** What await-restored.sh says. */
  readonly said: string;
}

/** The operator's scripts, with a repository of their own. */
export interface BackupMachine {
  /** What archive.conf says, for a server that archives here. */
  readonly settings: Readonly<Record<string, string>>;
  /** Sets the server that is backed up; after a dump was loaded it is another one for the repository. */
  use(server: PostgresServer, isOther?: boolean): Promise<void>;
  /** backup.sh */
  backUp(kind?: "full"): Promise<string>;
  /** restore.sh into a new server, then await-restored.sh. */
  restore(moment?: string, timeline?: number): Promise<Restored>;
  /** dump.sh; answers the file. */
  dump(server: PostgresServer): Promise<string>;
  /** load-dump.sh into a new server. */
  load(file: string): Promise<Restored>;
  remove(): void;
}

const owner = (): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
};

/** Settings of a file in the format of postgresql.conf. */
const settingsIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, name, value] = /^(\w+) = '?(.*?)'?$/.exec(line) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
  );

export const createBackupMachine = (changed: Readonly<Record<string, string>> = {}): BackupMachine => {
  installPgbackrest();
  const folder = mkdtempSync(join(tmpdir(), "portage-backup-"));
  const as = owner();
  const own = (path: string) => as && chownSync(path, as.uid, as.gid);
  own(folder);
  for (const name of ["repository", "log", "dumps"]) {
    mkdirSync(join(folder, name));
    own(join(folder, name));
  }
  // A copy, as operators have it: the user postgres need not reach this repository.
  cpSync(scripts, join(folder, "scripts"), { recursive: true });
  const file = join(folder, "pgbackrest.conf");
  const env = { PATH: process.env["PATH"], PGBACKREST_CONFIG: file };
  const run = async (command: string, ...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(command, args, { cwd: "/", env, ...as });
    return stdout.trim();
  };
  const script = (name: string, ...args: readonly string[]) =>
    run("sh", join(folder, "scripts", name), ...args);
  /** The configuration of the documentation, with the paths and the port of this machine. */
  const configure = (server: PostgresServer) => {
    const { port, username } = new URL(server.url);
    const changes = {
      "repo1-path": join(folder, "repository"),
      "log-path": join(folder, "log"),
      "lock-path": join(folder, "lock"),
      "pg1-path": server.data,
      "pg1-port": port,
      "pg1-user": username,
      "pg1-socket-path": dirname(server.data),
    };
    let text = readFileSync(join(scripts, "pgbackrest.conf"), "utf8");
    for (const [name, value] of Object.entries(changes)) {
      const line = new RegExp(`^${name}=.*$`, "m");
      if (!line.test(text)) throw new Error(`deploy/backup/pgbackrest.conf has no ${name}.`);
      text = text.replace(line, `${name}=${value}`);
    }
    writeFileSync(file, text);
  };
  const { archive_command: command = "", ...others } = settingsIn(join(scripts, "archive.conf"));
  const settings = {
    ...others,
    archive_command: `PGBACKREST_CONFIG=${file} ${command}`,
    ...changed,
  };
  return {
    settings,
    async use(server, isOther = false) {
      const isFirst = !existsSync(file);
      configure(server);
      if (isFirst) await run("pgbackrest", "--stanza=portage", "stanza-create");
      if (isOther) await run("pgbackrest", "--stanza=portage", "stanza-upgrade");
    },
    backUp: (kind) => script("backup.sh", ...(kind ? [kind] : [])),
    async restore(moment = "", timeline) {
      const startedAt = performance.now();
      const server = await createPostgres(settings, {
        fill: async (data) =>
          void (await script("restore.sh", data, moment, ...(timeline ? [String(timeline)] : []))),
      });
      const filesMs = performance.now() - startedAt;
      await server.startAside();
      const { port, username } = new URL(server.url);
      const said = await script(
        "await-restored.sh",
        "--host",
        "127.0.0.1",
        "--port",
        port,
        "--username",
        username,
      );
      return { server, filesMs, ms: performance.now() - startedAt, said };
    },
    dump: async (server) =>
      (await script("dump.sh", server.url, join(folder, "dumps"))).split("\n").at(-1) ?? "",
    async load(dump) {
      const startedAt = performance.now();
      const server = await createPostgres(settings);
      await server.startAside();
      const said = await script("load-dump.sh", dump, server.url);
      const ms = performance.now() - startedAt;
      return { server, filesMs: ms, ms, said };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
