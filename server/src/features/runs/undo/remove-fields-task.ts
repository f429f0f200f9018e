import type { Removed } from "@portage/connector-kit";
import { momentNow } from "../../../platform/moment.ts";
import { type ChunkContext, sharedAccount } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import type { Budget, TaskEnd } from "../chunk/task.ts";
import { startWriteDeadline } from "../chunk/write-deadline.ts";
import { claimField, type DestinationField, listFields, settleField } from "../ledger/store-fields.ts";

/** May be there because of this import: a claim without an outcome as well. */
const isOurs = ({ state }: DestinationField) => state !== "found" && state !== "removed";

const kept = (code: string, message: string): Removed => ({ kind: "kept", code, message });

const shared = kept("used_by_another_import", "Another import uses this field.");
const elsewhere = kept("another_account", "It is in an account that is not connected any more.");
const cannotRemove = kept("cannot_be_removed", "The tool has no way to remove it.");

type FieldEnd =
  | { readonly kind: "settled" }
  | { readonly kind: "fenced" }
  | { readonly kind: "later"; ms: number };

const removeField = async (ctx: ChunkContext, row: DestinationField): Promise<FieldEnd> => {
  const { db, lease, times, destination, streams } = ctx;
  const { lateWriteMs, findLagMs } = destination.connector.manifest.grace;
  const graceMs = lateWriteMs + findLagMs;
  const settle = async (outcome: Removed): Promise<FieldEnd> => {
    if (outcome.kind === "unknown") return { kind: "later", ms: times.writeMs + graceMs };
    const held = await settleField(
      db,
      lease,
      row,
      outcome.kind === "removed"
        ? { state: "removed" }
        : { state: "kept", reason: outcome.code, detail: outcome.message },
    );
    return held ? { kind: "settled" } : { kind: "fenced" };
  };
  const account = sharedAccount(destination);
  if (row.tool !== account.tool || row.accountId !== account.accountId) return settle(elsewhere);
  const setup = streams.find(({ name }) => name === row.stream)?.to?.fieldSetup;
  if (!setup) return settle(cannotRemove);
  const startedAt = momentNow();
  const claim = await claimField(db, lease, account, { ...row, as: "removing" }, { ...times, graceMs });
  if (claim.kind === "wait") return { kind: "later", ms: claim.ms };
  if (claim.kind === "fenced") return claim;
  if (claim.kind === "shared") return settle(shared);
  const deadline = startWriteDeadline(ctx, startedAt, false);
  try {
    if (!deadline.maySend()) return { kind: "later", ms: times.writeMs + graceMs };
    return await settle(
      await onSide("destination", () =>
        setup.remove(destination.io(deadline.signal, deadline.maySend), row.mark),
      ),
    );
  } finally {
    deadline.close();
  }
};

/** The end of an undo, when the copies are gone: removes the fields that this import created and that nothing else uses. */
export const removeFieldsTask = async (ctx: ChunkContext, _: TallyBook, budget: Budget): Promise<TaskEnd> => {
  const { db, lease } = ctx;
  if (lease.wanted !== "run") return { kind: "halted", wanted: lease.wanted };
  // A kept field was decided upon by an earlier undo, or by an earlier attempt of this one; the tool is asked again.
  for (const row of (await listFields(db, lease.importId)).filter(isOurs)) {
    const end = await removeField(ctx, row);
    if (end.kind === "fenced") return end;
    if (end.kind === "later") return { kind: "later", delayMs: end.ms };
    budget.done.read += 1;
  }
  return { kind: "ended" };
};
