import { type Selectable, sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import { firstIdAt } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { SealedColumn } from "../../platform/sealed-column.ts";
import type { Simulations } from "../../platform/schema.ts";
import type { KeptRequest } from "../idempotency/index.ts";
import { type ImportFilter, usernameKey } from "../imports/index.ts";
import { eraseNotices } from "../event-outbox/index.ts";
import type { Simulation } from "./simulation.ts";

const tokenOf = (id: string) => `simulation:${id}`;

/** The link tokens of simulations. */
export const simulationTokens: SealedColumn = {
  what: "links to simulations",
  table: "simulations",
  column: "link_token",
  key: ["id"],
  about: ([id = ""]) => tokenOf(id),
};

/** The context that the request which made it is sealed with. */
export const simulationRequestContext = (id: string): string => `simulation-request:${id}`;

export const simulationRequests: SealedColumn = {
  what: "requests that made simulations",
  table: "simulations",
  column: "sealed_request",
  key: ["id"],
  about: ([id = ""]) => simulationRequestContext(id),
};

type Row = Selectable<Simulations> & { readonly now: Date };

const toSimulation = (
  sealer: Sealer,
  {
    usernameKey: _,
    idempotencyKey: __,
    fingerprint: ___,
    sealedRequest: ____,
    progressAt: _____,
    ...row
  }: Row,
): Simulation => ({
  ...row,
  scenario: row.scenario as Simulation["scenario"],
  payer: row.payer as Simulation["payer"],
  family: row.family as Simulation["family"],
  state: row.state as unknown as Simulation["state"],
  linkToken: sealer.openAlone(tokenOf(row.id), row.linkToken),
  activeAt: row.activeAt ?? row.createdAt,
});

const now = sql<Date>`now()`.as("now");

/** Finds a simulation of any partner, closed ones included. */
export const findSimulation = async (
  db: Database,
  sealer: Sealer,
  id: string,
): Promise<Simulation | undefined> => {
  const row = await db.sql
    .selectFrom("simulations")
    .selectAll()
    .select(now)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toSimulation(sealer, row);
};

export const findSimulations = async (
  db: Database,
  sealer: Sealer,
  ids: readonly string[],
): Promise<readonly Simulation[]> => {
  const rows = await db.sql
    .selectFrom("simulations")
    .selectAll()
    .select(now)
    .where("id", "in", [...ids])
    .execute();
  return rows.map((row) => toSimulation(sealer, row));
};

/** A partner's open simulations, newest first. */
export const listSimulations = async (
  db: Database,
  sealer: Sealer,
  partnerId: string,
  { usernames, status, references, family, createdAfter }: ImportFilter,
  page: { readonly limit: number | null; readonly before: string | null },
): Promise<readonly Simulation[]> => {
  let asked = db.sql
    .selectFrom("simulations")
    .selectAll()
    .select(now)
    .where("partnerId", "=", partnerId)
    .where("closedAt", "is", null)
    .orderBy("id", "desc");
  if (usernames) asked = asked.where("usernameKey", "in", [...new Set(usernames.map(usernameKey))]);
  if (status) asked = asked.where(sql`state ->> 'status'`, "=", status);
  if (references) asked = asked.where("reference", "in", [...references]);
  if (family) asked = asked.where("family", "=", family);
  if (createdAfter) asked = asked.where("createdAt", ">=", createdAfter);
  if (page.before !== null) asked = asked.where("id", "<", page.before);
  if (page.limit !== null) asked = asked.limit(page.limit);
  return (await asked.execute()).map((row) => toSimulation(sealer, row));
};

/** Locks a simulation, so that it moves one step at a time and its events have the order of the locks. */
export const lockSimulation = async (
  tx: Transaction,
  sealer: Sealer,
  id: string,
): Promise<Simulation | undefined> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`.execute(tx);
  const row = await tx
    .selectFrom("simulations")
    .selectAll()
    .select(sql<Date>`clock_timestamp()`.as("now"))
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row && toSimulation(sealer, row);
};

export const saveSimulation = async (tx: Transaction, simulation: Simulation): Promise<void> => {
  const { state, waits, turn, turnAt, runSince, activeAt } = simulation;
  await tx
    .updateTable("simulations")
    .set({
      state: JSON.stringify(state),
      waits,
      turn,
      turnAt,
      runSince,
      activeAt,
      ...(state.closed && { closedAt: sql`coalesce(closed_at, now())` }),
    })
    .where("id", "=", simulation.id)
    .execute();
};

/** Makes a new link, which ends the old one. */
export const saveLinkToken = async (
  tx: Transaction,
  sealer: Sealer,
  { id, now: activeAt }: Simulation,
  token: Secret,
): Promise<void> => {
  await tx
    .updateTable("simulations")
    .set({ linkToken: sealer.sealAlone(tokenOf(id), token), activeAt })
    .where("id", "=", id)
    .execute();
};

/** The simulations with a due turn, of one partner or of all; the most overdue first. */
export const listDue = async (db: Database, partnerId: string | null, limit: number): Promise<string[]> => {
  let due = db.sql
    .selectFrom("simulations")
    .select("id")
    .where("turnAt", "<=", sql<Date>`now()`)
    .orderBy("turnAt")
    .limit(limit);
  if (partnerId !== null) due = due.where("partnerId", "=", partnerId);
  return (await due.execute()).map(({ id }) => id);
};

export interface SimulationKey {
  readonly key: string;
  readonly fingerprint: Buffer;
  readonly sealedRequest: Buffer;
}

/** Locks the creation of simulations for this partner; returns the database's time under the lock. */
export const lockPartner = async (tx: Transaction, partnerId: string): Promise<Date> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`simulator:${partnerId}`}, 0))`.execute(tx);
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(tx);
  return rows[0]?.at ?? new Date();
};

export const countLive = async (tx: Transaction, partnerId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom("simulations")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("partnerId", "=", partnerId)
    .where("turnAt", "is not", null)
    .executeTakeFirstOrThrow();
  return count;
};

export const findByKey = async (
  tx: Transaction,
  sealer: Sealer,
  partnerId: string,
  key: string,
): Promise<(KeptRequest & { readonly id: string; readonly linkToken: Secret }) | undefined> => {
  const row = await tx
    .selectFrom("simulations")
    .select(["id", "linkToken", "fingerprint", "sealedRequest"])
    .where("partnerId", "=", partnerId)
    .where("idempotencyKey", "=", key)
    .executeTakeFirst();
  return row && { ...row, linkToken: sealer.openAlone(tokenOf(row.id), row.linkToken) };
};

export const insertSimulation = async (
  tx: Transaction,
  sealer: Sealer,
  { now: _, state, linkToken, ...simulation }: Simulation,
  kept: SimulationKey | null,
): Promise<void> => {
  const { id, destinationUsername } = simulation;
  await tx
    .insertInto("simulations")
    .values({
      ...simulation,
      state: JSON.stringify(state),
      usernameKey: destinationUsername === null ? null : usernameKey(destinationUsername),
      linkToken: sealer.sealAlone(tokenOf(id), linkToken),
      idempotencyKey: kept?.key ?? null,
      fingerprint: kept?.fingerprint ?? null,
      sealedRequest: kept?.sealedRequest ?? null,
    })
    .execute();
};

const removeAll = async (tx: Transaction, ids: readonly string[]): Promise<number> => {
  if (ids.length === 0) return 0;
  await eraseNotices(tx, ids);
  await tx
    .deleteFrom("simulations")
    .where("id", "in", [...ids])
    .execute();
  return ids.length;
};

/** Removes the simulations beyond the newest `most` whose walk has ended. */
export const removeBeyond = async (tx: Transaction, partnerId: string, most: number): Promise<number> => {
  const rows = await tx
    .selectFrom("simulations")
    .select(["id", "turnAt"])
    .where("partnerId", "=", partnerId)
    .orderBy("id", "desc")
    .offset(most)
    .execute();
  return removeAll(
    tx,
    rows.flatMap(({ id, turnAt }) => (turnAt === null ? [id] : [])),
  );
};

/** Removes simulations older than this, with their events. Returns their number. */
export const deleteOldSimulations = (
  db: Database,
  { olderThanMs, limit }: { olderThanMs: number; limit: number },
  at: number = Date.now(),
): Promise<number> =>
  db.sql.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom("simulations")
      .select("id")
      .where("id", "<", firstIdAt("sim", at - olderThanMs))
      .orderBy("id")
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    return removeAll(
      tx,
      rows.map(({ id }) => id),
    );
  });
