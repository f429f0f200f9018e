import { type FamilyRecord, isConnectorError, referencesOf } from "@portage/connector-kit";
import { textReferencesOf } from "@portage/connector-kit/rich-text";
import type { Sealer } from "../../../platform/seal.ts";
import { planRecord, prepareRecord } from "../copy/plan-record.ts";
import { onSide } from "../chunk/sides.ts";
import { lookUp } from "../ledger/store-claim.ts";
import type { Budget, TaskEnd } from "../chunk/task.ts";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { makeResult } from "./make-result.ts";
import { createSourceReader } from "./source-reader.ts";
import { listStaleResults, saveResults, type StaleResult } from "./store-results.ts";

const batchSize = 25;

const readSource = async (ctx: ChunkContext, rows: readonly StaleResult[]) => {
  const { from, name } = pairOf(ctx);
  const reader = createSourceReader([from], ctx.source.io(ctx.signal));
  const records = await onSide("source", () =>
    reader.byIds(
      name,
      rows.map(({ sourceId }) => sourceId),
    ),
  );
  return new Map(records.map((record) => [record.id, record]));
};

const readDestination = async (ctx: ChunkContext, rows: readonly StaleResult[]) => {
  const { to } = pairOf(ctx);
  const copies = rows.flatMap(({ sourceId, destId }) => (destId === null ? [] : [{ sourceId, destId }]));
  if (!to || copies.length === 0) return new Map<string, FamilyRecord | null>();
  try {
    const now = await onSide("destination", () =>
      to.read(
        ctx.destination.io(ctx.signal),
        copies.map(({ destId }) => destId),
      ),
    );
    return new Map(copies.map(({ sourceId }, index) => [sourceId, now[index] ?? null]));
  } catch (error) {
    if (isConnectorError(error) && error.recovery === "skip-record")
      return new Map<string, FamilyRecord | null>();
    throw error;
  }
};

/** Each record as it would be written now, with its changes. */
const planAnew = async (ctx: ChunkContext, records: readonly FamilyRecord[]) => {
  const { from } = pairOf(ctx);
  const references = records.flatMap((record) => [
    ...referencesOf(from.stream, record),
    ...textReferencesOf(record),
  ]);
  const targets = await lookUp(ctx.db, ctx.lease, references);
  const claimed = { wanted: "run" as const, known: new Map(), targets };
  return new Map(
    records.map((record) => {
      const planned = planRecord(ctx, claimed, prepareRecord(ctx, record), new Set());
      return [record.id, planned.kind === "write" ? planned : null] as const;
    }),
  );
};

/**
 * Completes a review from both tools: matched, skipped and failed records, and those whose result was lost after the
 * write. Only the destination's remarks at the write can't be restored.
 */
export const fillResults = async (ctx: ChunkContext, sealer: Sealer, budget: Budget): Promise<TaskEnd> => {
  const { db, lease } = ctx;
  for (;;) {
    if (budget.isSpent()) return { kind: "more" };
    const rows = await listStaleResults(db, lease, batchSize);
    if (rows.length === 0) return { kind: "ended" };
    budget.spend();
    const sources = await readSource(ctx, rows);
    const copies = await readDestination(ctx, rows);
    const plans = await planAnew(ctx, [...sources.values()]);
    const results = rows.map((row) => {
      const planned = row.state === "matched" ? null : (plans.get(row.sourceId) ?? null);
      return makeResult(ctx, {
        ...row,
        source: sources.get(row.sourceId) ?? null,
        written: planned?.record ?? null,
        destination: copies.get(row.sourceId) ?? null,
        changes: planned?.changes ?? [],
        message: row.detail,
      });
    });
    if (!(await saveResults(db, sealer, lease, results))) return { kind: "fenced" };
    budget.done.read += rows.length;
  }
};
