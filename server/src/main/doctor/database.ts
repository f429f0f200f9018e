import { firstImportAt, listAllImports } from "../../features/imports/index.ts";
import { lastRetentionAt } from "../../features/retention/index.ts";
import { type DatabaseFacts, readDatabaseFacts } from "../../platform/database-facts.ts";
import { type Database, openDatabase } from "../../platform/db.ts";
import { databaseVersion, readMigrations } from "../../platform/migrate.ts";
import { createSealer, SealError } from "../../platform/seal.ts";
import { explainError } from "../commands/explain-error.ts";
import { type DoctorFinding, doctorOk, problem, warning } from "./finding.ts";
import { readOne } from "./local.ts";

const oldestVersion = 15;
const maxClockDifferenceMs = 2_000;

export const judgeVersion = ({ versionNumber }: DatabaseFacts): DoctorFinding => {
  const version = `${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`;
  return versionNumber >= oldestVersion * 10_000
    ? doctorOk("PostgreSQL", `reachable, version ${version}`)
    : problem("PostgreSQL", `version ${version} is too old`, `Upgrade it to ${oldestVersion} or newer.`);
};

export const judgeClock = ({ clockAheadMs }: DatabaseFacts): DoctorFinding =>
  Math.abs(clockAheadMs) < maxClockDifferenceMs
    ? doctorOk("clocks", `this machine and PostgreSQL differ by ${Math.abs(clockAheadMs)} ms`)
    : problem(
        "clocks",
        `PostgreSQL is ${Math.abs(clockAheadMs)} ms ${clockAheadMs > 0 ? "ahead of" : "behind"} this machine`,
        "Synchronize both with NTP (timedatectl set-ntp true).",
      );

export const judgeMigrations = (version: number, needed: number): DoctorFinding => {
  if (version < needed)
    return problem(
      "schema",
      `the database is at version ${version}, this release needs ${needed}`,
      "Run: portage migrate",
    );
  return version > needed
    ? warning(
        "schema",
        `the database is at version ${version}, this release supports ${needed}`,
        "A newer release migrated it: deploy that release everywhere.",
      )
    : doctorOk("schema", `version ${version}`);
};

const dayMs = 24 * 3_600_000;

/** `oldestAt`: creation time of the first import; before that there is nothing to delete. */
export const judgeRetention = (lastAt: Date | null, oldestAt: Date | null, now: Date): DoctorFinding => {
  const part = "retention";
  const since = lastAt ?? oldestAt;
  const days = since === null ? 0 : Math.floor((now.getTime() - since.getTime()) / dayMs);
  if (days >= 2)
    return warning(
      part,
      lastAt ? `retention has not run for ${days} days` : "retention has never run",
      "A worker runs it once a day: check its log for “retention”. To run it now: portage retention run",
    );
  return doctorOk(part, lastAt ? `last run ${lastAt.toISOString()}` : "nothing to do yet");
};

const checkRetention = async (db: Database): Promise<DoctorFinding> =>
  judgeRetention(await lastRetentionAt(db), await firstImportAt(db), new Date());

/** A valid key ring may still be a different one from the ring that encrypted the stored values. */
const checkStoredSecrets = async (
  db: Database,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorFinding[]> => {
  const ring = readOne("PORTAGE_KEYS", env);
  if (!ring) return [];
  const part = "stored secrets";
  try {
    const found = await listAllImports(db, createSealer(ring), { partnerId: null, before: null, limit: 1 });
    return [doctorOk(part, found.length === 0 ? "none yet" : "the key ring decrypts the newest import")];
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return [problem(part, error.message, "Add the key that encrypted it back to PORTAGE_KEYS.")];
  }
};

export const checkDatabase = async (env: NodeJS.ProcessEnv): Promise<readonly DoctorFinding[]> => {
  const url = readOne("DATABASE_URL", env);
  if (url === undefined) return [];
  const db = openDatabase({
    url,
    poolSize: 1,
    statementTimeoutMs: 5_000,
    acquireTimeoutMs: 5_000,
    applicationName: "portage doctor",
    onConnectionLost: () => {}, // the next query fails with the same error and reports it
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
