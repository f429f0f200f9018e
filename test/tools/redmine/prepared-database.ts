import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { madeOnce } from "../../support/made-once.ts";
import { dumpDatabase, runStatements } from "./redmine-database.ts";
import type { Ids, RedmineFolder } from "./redmine-folder.ts";

/** Data that can be regenerated at any time; Debian's folder for it. */
const cache = "/var/cache/portage-tests";

/** Depends on this version of Redmine and on this way of making it. */
export const cacheFolder = (name: string, ...madeBy: readonly string[]): string => {
  const version = execFileSync("dpkg-query", ["-W", "-f", "${Version}", "redmine"], { encoding: "utf8" });
  const hash = createHash("sha256")
    .update(JSON.stringify([version, ...madeBy]))
    .digest("hex");
  return join(cache, `redmine-${name}-${hash.slice(0, 16)}`);
};

/** The SQL statements of `dumpInto`. */
const statementsIn = (folder: string) => readFileSync(join(folder, "dump.sql"), "utf8");

export const dumpInto = (target: string, folder: RedmineFolder, ids: Ids): void =>
  writeFileSync(join(target, "dump.sql"), dumpDatabase(folder, ids));

export const fillFrom = (source: string, folder: RedmineFolder, ids: Ids): void =>
  runStatements(folder, ids, statementsIn(source));

/**
 * Fills the database of a new instance. Its many migrations take most of Redmine's start time, so they run once per
 * machine, and the result is cached.
 */
export const fillDatabase = async (
  folder: RedmineFolder,
  ids: Ids,
  { setUp, migrate }: { readonly setUp: string; readonly migrate: () => Promise<void> },
): Promise<void> => {
  let isOurs = false;
  const kept = await madeOnce(cacheFolder("empty", setUp), async (aside) => {
    await migrate();
    dumpInto(aside, folder, ids);
    isOurs = true;
  });
  if (!isOurs) fillFrom(kept, folder, ids);
};

/** Sets what differs per instance: its host, and the administrator's key, which is returned. */
export const makeItsOwn = (folder: RedmineFolder, ids: Ids, host: string): string => {
  const adminKey = randomBytes(20).toString("hex");
  runStatements(
    folder,
    ids,
    `update settings set value = '${host}' where name = 'host_name';
     update tokens set value = '${adminKey}' where action = 'api'
       and user_id = (select id from users where login = 'admin');`,
  );
  return adminKey;
};
