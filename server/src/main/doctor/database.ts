import { areEventsAhead } from "../../features/events/index.ts";
import { findAnyImport, firstImportAt, listImports } from "../../features/imports/index.ts";
import { lastRetentionAt } from "../../features/retention/index.ts";
import {
  type DatabaseFacts,
  type Durability,
  readDatabaseFacts,
  readDurability,
  readStatementTimeout,
} from "../../platform/database-facts.ts";
import { type Database, openDatabase } from "../../platform/db.ts";
import { databaseVersion, readMigrations } from "../../platform/migrate.ts";
import { requireOwnSessions } from "../../platform/own-sessions.ts";
import { requireKeys } from "../../platform/key-checks.ts";
import { NotReadyError } from "../../platform/not-ready-error.ts";
import { type RoleRights, readRoleRights } from "../../platform/runtime-role.ts";
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

/** What a failover or a crash of PostgreSQL can lose. */
export const judgeDurability = ({
  synchronousCommit,
  waitsForStandby,
  standbys,
}: Durability): DoctorFinding => {
  const part = "durability";
  if (synchronousCommit === "off")
    return problem(
      part,
      "synchronous_commit is off: a crash of PostgreSQL loses the last commits unnoticed, and records may be copied twice",
      "Set synchronous_commit to on, in postgresql.conf or for the user of DATABASE_URL.",
    );
  if (waitsForStandby)
    return doctorOk(part, `standbys: ${standbys}; a failover to a synchronous one loses no commit`);
  return standbys === 0
    ? doctorOk(part, "a commit is on disk before it counts; there is no standby")
    : warning(
        part,
        `standbys: ${standbys}, all asynchronous: a failover can lose the last commits; runs then look up every record in the destination before they write it`,
        "Set synchronous_standby_names to lose none. docs/operators/failover.md says what a failover costs.",
      );
};

const whyItChanges: Readonly<Record<NonNullable<RoleRights["changes"]>, string>> = {
  superuser: "is a superuser",
  owner: "owns the tables",
  creator: "may create tables",
};

export const judgeRole = ({ role, changes, lacks }: RoleRights): DoctorFinding => {
  const part = "database role";
  if (lacks.length > 0)
    return problem(
      part,
      `${role} can't write ${lacks.length} of the tables, such as ${lacks[0]}`,
      "Run portage migrate as the owner of the tables, with PORTAGE_RUNTIME_ROLE set to this role.",
    );
  return changes === null
    ? doctorOk(part, `${role} can't change the schema`)
    : warning(
        part,
        `${role} ${whyItChanges[changes]}, so it could change the schema`,
        "Let API and workers connect as a role of their own: docs/operators/database-roles.md",
      );
};

/** As in PostgreSQL's setting, for a connection that asked for one: a pooler may drop what a connection begins with. */
export const judgeStatementTimeout = (timeout: string): readonly DoctorFinding[] =>
  timeout === "0"
    ? [
        warning(
          "statement timeout",
          "a pooler drops the statement_timeout of connections: a statement that hangs keeps its connection for ever",
          "Give the user of DATABASE_URL one: alter role NAME set statement_timeout = '60s'",
        ),
      ]
    : [];

/** A dump keeps the numbers of transactions, and a new server starts from the first: new events would come before old ones. */
export const judgeEvents = (areAhead: boolean): DoctorFinding =>
  areAhead
    ? problem(
        "event order",
        "the stored events are from later transactions than this server has had: GET /events leaves events out",
        "Run: portage recover",
      )
    : doctorOk("event order", "GET /events lists every event");

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
    const sealer = createSealer(ring);
    await requireKeys(db, sealer);
    const [newest] = await listImports(db, sealer, {}, { before: null, limit: 1 });
    // A list shows imports that it can't decrypt without their links.
    if (newest) await findAnyImport(db, sealer, newest.id);
    return [doctorOk(part, newest === undefined ? "none yet" : "the key ring decrypts the newest import")];
  } catch (error) {
    if (!(error instanceof SealError || error instanceof NotReadyError)) throw error;
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
    await requireOwnSessions(url);
    const facts = await readDatabaseFacts(db.pool);
    const schema = judgeMigrations(await databaseVersion(db.pool), (await readMigrations()).length);
    return [
      judgeVersion(facts),
      judgeClock(facts),
      judgeDurability(await readDurability(db.pool)),
      ...judgeStatementTimeout(await readStatementTimeout(db.pool)),
      schema,
      ...(schema.state === "problem"
        ? []
        : [
            judgeRole(await readRoleRights(db.pool)),
            ...(await checkStoredSecrets(db, env)),
            await checkRetention(db),
            judgeEvents(await areEventsAhead(db)),
          ]),
    ];
  } catch (error) {
    const explained = explainError(error, env);
    if (!explained) throw error;
    return [problem("PostgreSQL", explained.message, explained.fix ?? "Correct DATABASE_URL.")];
  } finally {
    await db.close();
  }
};
