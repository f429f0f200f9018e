import { simulationIdPattern } from "@portage/contract";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { ImportEvent } from "../imports/index.ts";
import { writeNotice } from "../notices/index.ts";
import { advance, play, type Step } from "./play.ts";
import type { Simulation } from "./simulation.ts";
import { deleteOldSimulations, listDue, lockSimulation, saveSimulation } from "./store.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
}

const save = async (tx: Transaction, { kind, played, told }: Step<Simulation>) => {
  if (kind === "unchanged" && told.length === 0) return;
  await saveSimulation(tx, played);
  const { id: simulationId, partnerId } = played;
  for (const each of told) await writeNotice(tx, { ...each, partnerId, simulationId });
};

/** Lets a simulation do what it has to do by now. Whoever comes second finds nothing left to do. */
export const catchUp = ({ db, sealer }: Needs, id: string): Promise<void> =>
  db.sql.transaction().execute(async (tx) => {
    const found = await lockSimulation(tx, sealer, id);
    if (found) await save(tx, advance(found, found.now));
  });

/** What a partner does to a simulation of its own; what was due before happens first. */
export const moveSimulation = async (
  { db, sealer }: Needs,
  partnerId: string,
  id: string,
  event: ImportEvent,
): Promise<{ readonly kind: Step<Simulation>["kind"] | "missing" }> => {
  if (!simulationIdPattern.test(id)) return { kind: "missing" };
  return db.sql.transaction().execute(async (tx) => {
    const found = await lockSimulation(tx, sealer, id);
    if (!found || found.partnerId !== partnerId || found.state.closed) return { kind: "missing" };
    const before = advance(found, found.now);
    const moved = play(before.played, event, found.now);
    await save(tx, {
      kind: before.kind === "unchanged" ? moved.kind : "moved",
      played: moved.played,
      told: [...before.told, ...moved.told],
    });
    return { kind: moved.kind };
  });
};

const atOnce = 50;

/** Lets all that are due go on, of one partner or of all. Answers how many. */
export const catchUpAll = async (needs: Needs, partnerId: string | null = null): Promise<number> => {
  const due = await listDue(needs.db, partnerId, atOnce);
  for (const id of due) await catchUp(needs, id);
  return due.length;
};

const keptMs = 24 * 3_600_000;

/** What keeps simulations going, and removes those that are a day old. */
export const createSimulations = (needs: Needs) => ({
  goOn: () => catchUpAll(needs),
  removeOld: () => deleteOldSimulations(needs.db, { olderThanMs: keptMs, limit: 100 }),
});

export type SimulationsAtWork = ReturnType<typeof createSimulations>;
