import { simulationIdPattern } from "@portage/contract";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Secret } from "../../platform/secret.ts";
import { type ImportEvent, newLinkToken } from "../imports/index.ts";
import { writeNotice } from "../event-outbox/index.ts";
import { advanceSimulation, play, type SimulatedStep } from "./play.ts";
import type { Simulation } from "./simulation.ts";
import { simulatedSummary } from "./simulated-summary.ts";
import { deleteOldSimulations, listDue, lockSimulation, saveLinkToken, saveSimulation } from "./store.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
}

const save = async (tx: Transaction, { kind, played, events }: SimulatedStep<Simulation>) => {
  if (kind === "unchanged" && events.length === 0) return;
  await saveSimulation(tx, played);
  const { id: simulationId, partnerId, family } = played;
  for (const { type, status, previousStatus, played: then, at } of events) {
    const { items, people } = simulatedSummary(then, family, at);
    // Only the partner's own call closes a simulation.
    const reason = type === "import.closed" ? "partner" : null;
    await writeNotice(tx, {
      partnerId,
      simulationId,
      type,
      status,
      previousStatus,
      reason,
      figures: { items, people },
    });
  }
};

/** Plays the due turns of a simulation. A concurrent second caller finds none left. */
export const catchUp = ({ db, sealer }: Needs, id: string): Promise<void> =>
  db.sql.transaction().execute(async (tx) => {
    const found = await lockSimulation(tx, sealer, id);
    if (found) await save(tx, advanceSimulation(found, found.now));
  });

/** Applies a partner's action to its own simulation, after the turns that were due before. */
export const moveSimulation = async (
  { db, sealer }: Needs,
  partnerId: string,
  id: string,
  event: ImportEvent,
): Promise<{ readonly kind: SimulatedStep<Simulation>["kind"] | "missing" }> => {
  if (!simulationIdPattern.test(id)) return { kind: "missing" };
  return db.sql.transaction().execute(async (tx) => {
    const found = await lockSimulation(tx, sealer, id);
    if (!found || found.partnerId !== partnerId || found.state.closed) return { kind: "missing" };
    const before = advanceSimulation(found, found.now);
    const moved = play(before.played, event, found.now);
    await save(tx, {
      kind: before.kind === "unchanged" ? moved.kind : "moved",
      played: moved.played,
      events: [...before.events, ...moved.events],
    });
    return { kind: moved.kind };
  });
};

/** Makes a new link to a partner's own simulation, after the turns that were due before. Undefined: it has no open one with this id. */
export const reissueSimulationLink = async (
  { db, sealer }: Needs,
  partnerId: string,
  id: string,
): Promise<Secret | undefined> => {
  if (!simulationIdPattern.test(id)) return undefined;
  return db.sql.transaction().execute(async (tx) => {
    const found = await lockSimulation(tx, sealer, id);
    if (!found || found.partnerId !== partnerId || found.state.closed) return undefined;
    await save(tx, advanceSimulation(found, found.now));
    const token = newLinkToken();
    await saveLinkToken(tx, sealer, found, token);
    return token;
  });
};

const batchSize = 50;

/** Catches up a batch of due simulations, of one partner or of all. Returns their number. */
export const catchUpAll = async (needs: Needs, partnerId: string | null = null): Promise<number> => {
  const due = await listDue(needs.db, partnerId, batchSize);
  for (const id of due) await catchUp(needs, id);
  return due.length;
};

const keptMs = 24 * 3_600_000;

/** The background jobs: advance simulations, and remove those that are a day old. */
export const createSimulations = (needs: Needs) => ({
  goOn: () => catchUpAll(needs),
  removeOld: () => deleteOldSimulations(needs.db, { olderThanMs: keptMs, limit: 100 }),
});

export type SimulationsAtWork = ReturnType<typeof createSimulations>;
