import { firstImportAt, listAllImports } from "../../features/imports/index.ts";
import { lastRetentionAt } from "../../features/retention/index.ts";
import { type DatabaseFacts, readDatabaseFacts } from "../../platform/database-facts.ts";
import { type Database, openDatabase } from "../../platform/db.ts";
import { databaseVersion, readMigrations } from "../../platform/migrate.ts";
import { createSealer, SealError } from "../../platform/seal.ts";
import { explainError } from "../commands/explain-error.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { readOne } from "./local.ts";

const oldestVersion = 15;
const mostClockDifferenceMs = 2_000;

export const judgeVersion = ({ versionNumber }: DatabaseFacts): Finding => {
  const version = `${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`;
  return versionNumber >= oldestVersion * 10_000
    ? ok("PostgreSQL", `reachable, version ${version}`)
    : problem("PostgreSQL", `version ${version} is too old`, `Upgrade it to ${oldestVersion} or newer.`);
};

export const judgeClock = ({ clockAheadMs }: DatabaseFacts): Finding =>
  Math.abs(clockAheadMs) < mostClockDifferenceMs
    ? ok("clocks", `this machine and PostgreSQL differ by ${Math.abs(clockAheadMs)} ms`)
    : problem(
        "clocks",
        `PostgreSQL is ${Math.abs(clockAheadMs)} ms ${clockAheadMs > 0 ? "ahead of" : "behind"} this machine`,
        "Let both keep time by NTP (timedatectl set-ntp true).",
      );

export const judgeMigrations = (version: number, needed: number): Finding => {
  if (version < needed)
    return problem(
      "schema",
      `the database is at version ${version}, this release needs ${needed}`,
      "Run: portage migrate",
    );
  return version > needed
    ? warning(
        "schema",
        `the database is at version ${version}, this release knows ${needed}`,
        "A newer release migrated it: start that one everywhere.",
      )
    : ok("schema", `version ${version}`);
};

const dayMs = 24 * 3_600_000;

/** `oldestAt`: when the first import was made; before that there is nothing to erase. */
export const judgeRetention = (lastAt: Date | null, oldestAt: Date | null, now: Date): Finding => {
  const part = "retention";
  const since = lastAt ?? oldestAt;
  const days = since === null ? 0 : Math.floor((now.getTime() - since.getTime()) / dayMs);
  if (days >= 2)
    return warning(
      part,
      lastAt ? `nothing was erased for ${days} days` : "nothing was ever erased",
      "A worker does it once a day: look at its log for “retention”. By hand: portage retention run",
    );
  return ok(part, lastAt ? `last done ${lastAt.toISOString()}` : "nothing to do yet");
};

const checkRetention = async (db: Database): Promise<Finding> =>
  judgeRetention(await lastRetentionAt(db), await firstImportAt(db), new Date());

/** A ring may work and yet be another one than that which sealed what is stored. */
const checkStoredSecrets = async (db: Database, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> => {
  const ring = readOne("PORTAGE_KEYS", env);
  if (!ring) return [];
  const part = "stored secrets";
  try {
    const found = await listAllImports(db, createSealer(ring), { partnerId: null, before: null, limit: 1 });
    return [ok(part, found.length === 0 ? "none yet" : "the newest import opens with the key ring")];
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return [problem(part, error.message, "Put the key that sealed it back into PORTAGE_KEYS.")];
  }
};

export const checkDatabase = async (env: NodeJS.ProcessEnv): Promise<readonly Finding[]> => {
  const url = readOne("DATABASE_URL", env);
  if (url === undefined) return [];
  const db = openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: 5_000,
    acquireTimeoutMs: 5_000,
    applicationName: "portage doctor",
    onConnectionLost: () => {}, // the next question meets the same error and reports it
  });
  try {
    const facts = await readDatabaseFacts(db.pool);
    const schema = judgeMigrations(await databaseVersion(db.pool), (await readMigrations()).length);
    return [
      judgeVersion(facts),
      judgeClock(facts),
      schema,
      ...(schema.state === "problem"
        ? []
        : [...(await checkStoredSecrets(db, env)), await checkRetention(db)]),
    ];
  } catch (error) {
    const explained = explainError(error, env);
    if (!explained) throw error;
    return [problem("PostgreSQL", explained.message, explained.fix ?? "Correct DATABASE_URL.")];
  } finally {
    await db.close();
  }
};
