import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { madeOnce } from "../../support/made-once.ts";
import { dumpDatabase, runStatements } from "./redmine-database.ts";
import type { Ids, RedmineFolder } from "./redmine-folder.ts";

/** What can be made anew at any time; Debian's place for it. */
const cache = "/var/cache/portage-tests";

/** For what this version of Redmine is, made in this way. */
export const cacheFolder = (name: string, ...madeBy: readonly string[]): string => {
  const version = execFileSync("dpkg-query", ["-W", "-f", "${Version}", "redmine"], { encoding: "utf8" });
  const hash = createHash("sha256")
    .update(JSON.stringify([version, ...madeBy]))
    .digest("hex");
  return join(cache, `redmine-${name}-${hash.slice(0, 16)}`);
};

/** What `dumpInto` has left, as statements. */
const statementsIn = (folder: string) => readFileSync(join(folder, "dump.sql"), "utf8");

export const dumpInto = (target: string, folder: RedmineFolder, ids: Ids): void =>
  writeFileSync(join(target, "dump.sql"), dumpDatabase(folder, ids));

export const fillFrom = (source: string, folder: RedmineFolder, ids: Ids): void =>
  runStatements(folder, ids, statementsIn(source));

/**
 * Fills the database of a new instance. Its many migrations take most of the time that a Redmine takes to start, so they
 * are run once on a machine, and their outcome is kept.
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

/** What each instance has for itself: where it is, and the key of its administrator, which is answered. */
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
