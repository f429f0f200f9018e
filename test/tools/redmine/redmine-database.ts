import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, globSync } from "node:fs";
import { join } from "node:path";
import type { Ids, RedmineFolder } from "./redmine-folder.ts";

const binary = (name: string) => {
  const found = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (!found) throw new Error("No PostgreSQL server found: run install.sh.");
  return join(found, name);
};

const run = (ids: Ids, name: string, args: readonly string[], input?: string) =>
  execFileSync(binary(name), args, {
    ...ids,
    cwd: "/",
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...(input === undefined ? {} : { input }),
  });

const isRunning = (folder: RedmineFolder, ids: Ids) => {
  try {
    run(ids, "pg_ctl", ["-D", folder.database, "status"]);
    return true;
  } catch {
    return false;
  }
};

/** A private cluster, reachable by a socket only. Test data, so nothing waits for the disk. */
export const startDatabase = (folder: RedmineFolder, ids: Ids): void => {
  const fresh = !existsSync(join(folder.database, "PG_VERSION"));
  if (fresh) {
    run(ids, "initdb", [
      "-D",
      folder.database,
      "-A",
      "trust",
      "-U",
      "postgres",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "-N",
    ]);
    const settings = {
      listen_addresses: "",
      unix_socket_directories: folder.socket,
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      jit: "off",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    appendFileSync(join(folder.database, "postgresql.conf"), lines.join(""));
  }
  if (!isRunning(folder, ids))
    run(ids, "pg_ctl", [
      "-D",
      folder.database,
      "-w",
      "-s",
      "-l",
      join(folder.database, "server.log"),
      "start",
    ]);
  if (!fresh) return;
  const sql = (text: string) => run(ids, "psql", ["-h", folder.socket, "-U", "postgres", "-qc", text]);
  sql("create role redmine login");
  sql("create database redmine owner redmine");
};

export const stopDatabase = (folder: RedmineFolder, ids: Ids): void => {
  if (isRunning(folder, ids)) run(ids, "pg_ctl", ["-D", folder.database, "-w", "-s", "-m", "fast", "stop"]);
};

const inRedmine = ({ socket }: RedmineFolder) => ["-h", socket, "-U", "redmine", "-d", "redmine"];

/** The whole database, as statements that fill an empty one. */
export const dumpDatabase = (folder: RedmineFolder, ids: Ids): string =>
  run(ids, "pg_dump", [...inRedmine(folder), "--no-owner"]);

/** Runs statements; throws if one of them fails. */
export const runStatements = (folder: RedmineFolder, ids: Ids, statements: string): void =>
  void run(ids, "psql", [...inRedmine(folder), "-qX", "-v", "ON_ERROR_STOP=1"], statements);
