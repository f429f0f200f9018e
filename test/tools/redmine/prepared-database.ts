import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dumpDatabase, runStatements } from "./redmine-database.ts";
import type { Ids, RedmineFolder } from "./redmine-folder.ts";

/** What can be made anew at any time; Debian's place for it. */
const cache = "/var/cache/portage-tests";

/** Of this version of Redmine, set up in this way. */
const dumpFile = (setUp: string) => {
  const version = execFileSync("dpkg-query", ["-W", "-f", "${Version}", "redmine"], { encoding: "utf8" });
  const hash = createHash("sha256").update(`${version}\n${setUp}`).digest("hex").slice(0, 16);
  return join(cache, `redmine-${hash}.sql`);
};

/**
 * Fills the database of a new instance. Its many migrations take most of the time that a Redmine takes to start, so they
 * are run once on a machine, and their outcome is kept.
 */
export const fillDatabase = async (
  folder: RedmineFolder,
  ids: Ids,
  { setUp, migrate }: { readonly setUp: string; readonly migrate: () => Promise<void> },
): Promise<void> => {
  const file = dumpFile(setUp);
  if (existsSync(file)) return runStatements(folder, ids, readFileSync(file, "utf8"));
  await migrate();
  mkdirSync(cache, { recursive: true });
  // Written aside: whoever starts another one meanwhile finds all of it, or nothing.
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, dumpDatabase(folder, ids));
  renameSync(aside, file);
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
