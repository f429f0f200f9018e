import type { Database } from "../../../platform/db.ts";
import type { ChunkToSend, RunKind } from "../run.ts";
import { ledgerLeafOf } from "../ledger/store-months.ts";
import { insertRun, lastSeenAt } from "./store-runs.ts";

export interface StartNeeds {
  readonly db: Database;
  readonly leaseMs: number;
}

export interface RunToStart {
  readonly importId: string;
  readonly kind: RunKind;
  readonly outboxId: number;
}

/**
 * How far the clock of a tool may be behind ours. A change is dated by the tool, the last look at it by our database: without
 * a margin, what changed right after that look would be taken for older, and never be copied. What is read again because of
 * it and has not changed is dropped by its hash.
 */
const clockMarginMs = 15 * 60_000;

/** From when on a delta reads what changed; null: all of it. */
const readsSince = async (db: Database, importId: string): Promise<Date | null> => {
  const at = await lastSeenAt(db, importId);
  return at && new Date(at.getTime() - clockMarginMs);
};

/** Begins a run; asked for twice by the same effect, it is one. */
export const createStartRun =
  ({ db, leaseMs }: StartNeeds) =>
  async ({ importId, kind, outboxId }: RunToStart): Promise<readonly ChunkToSend[]> =>
    insertRun(db, {
      importId,
      kind,
      outboxId,
      leaseMs,
      leaf: await ledgerLeafOf(db, importId),
      since: kind === "delta" ? await readsSince(db, importId) : null,
    });
