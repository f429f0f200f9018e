import type { Database } from "../../../platform/db.ts";
import type { Log } from "../../../platform/log.ts";
import type { ChunkToSend, RunCause, RunKind } from "../run.ts";
import { ledgerLeafOf } from "../ledger/store-months.ts";
import { insertRun, lastSeenAt } from "./store-runs.ts";

export interface StartRunNeeds {
  readonly db: Database;
  readonly log: Log;
  readonly leaseMs: number;
}

export interface RunToStart {
  readonly importId: string;
  readonly kind: RunKind;
  /** Of a retry: only what these kept out; null: everything. */
  readonly causes: readonly RunCause[] | null;
  readonly outboxId: number;
}

/**
 * How far the clock of a tool may be behind ours. The tool dates a change, our database the last look at it: without a
 * margin, a change right after that look would seem older, and never be copied. Unchanged records read again because of
 * it are dropped by their hash.
 */
const clockMarginMs = 15 * 60_000;

/** From when on a delta reads changes; null: everything. */
const readsSince = async (db: Database, importId: string): Promise<Date | null> => {
  const at = await lastSeenAt(db, importId);
  return at && new Date(at.getTime() - clockMarginMs);
};

/** Begins a run; idempotent per effect. */
export const createStartRun =
  ({ db, log, leaseMs }: StartRunNeeds) =>
  async ({ importId, kind, causes, outboxId }: RunToStart): Promise<readonly ChunkToSend[]> => {
    const { runId, send } = await insertRun(db, {
      importId,
      kind,
      causes,
      outboxId,
      leaseMs,
      leaf: await ledgerLeafOf(db, importId),
      since: kind === "delta" ? await readsSince(db, importId) : null,
    });
    if (runId !== null) log.info({ run_id: runId, import_id: importId, kind }, "run began");
    return send;
  };
