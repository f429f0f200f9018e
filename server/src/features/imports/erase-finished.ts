import type { Database } from "../../platform/db.ts";
import { disconnectSide } from "./disconnect-side.ts";
import type { Side } from "./state.ts";
import { listFinished } from "./store-connecting.ts";

/** Retention of sign-ins after the migration; the destination's longer, since an undo needs it. */
export const signInKeptDays: Readonly<Record<Side, number>> = { source: 7, destination: 30 };

const batch = 100;

/** Erases the sign-ins of migrations past their retention. One side, one transaction. */
export const eraseFinishedSignIns = async (db: Database): Promise<{ erased: number }> => {
  const disconnect = disconnectSide(db);
  let erased = 0;
  for (const side of ["source", "destination"] as const) {
    let after: string | null = null;
    do {
      const ids: readonly string[] = await listFinished(db, side, signInKeptDays[side], after, batch);
      for (const id of ids)
        if ((await disconnect(id, side, { kind: "system" })).kind === "disconnected") erased += 1;
      after = ids.length < batch ? null : (ids.at(-1) ?? null);
    } while (after !== null);
  }
  return { erased };
};
