import { type FamilyRecord, type FieldChange, ownersOf, referencesOf } from "@portage/connector-kit";
import { pairOf, type ChunkContext } from "../chunk/chunk-context.ts";
import { ownAddress } from "./own-address.ts";
import { shortenTexts } from "./shorten-texts.ts";
import type { ResultToSave } from "./store-results.ts";

export interface Outcome extends Omit<ResultToSave, "parent" | "content" | "sourceId"> {
  readonly sourceId: string;
  readonly source: FamilyRecord | null;
  readonly written: FamilyRecord | null;
  readonly destination: FamilyRecord | null;
  readonly changes: readonly FieldChange[];
  readonly message: string | null;
}

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "object" && Object.keys(value).length === 0);

const valueAt = (record: FamilyRecord, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      record,
    );

/** Fields that the destination always drops without reporting, if this record had a value there. */
const droppedFrom = (ctx: ChunkContext, { source, changes }: Outcome): readonly FieldChange[] => {
  const changed = new Set(changes.map(({ field }) => field));
  return (pairOf(ctx).to?.drops ?? []).filter(
    ({ field }) => source !== null && !changed.has(field) && !isEmpty(valueAt(source, field)),
  );
};

const urlsOf = (ctx: ChunkContext, { source, written, destId }: Outcome) => {
  const { from, to } = pairOf(ctx);
  const parentId =
    to && written && referencesOf(to.stream, written).find(({ field }) => field === to.stream.parent)?.id;
  return {
    sourceUrl: ownAddress(ctx.source, source && from.urlOf?.(ctx.source.settings, source)),
    destinationUrl: ownAddress(
      ctx.destination,
      destId === null
        ? null
        : to?.urlOf?.(ctx.destination.settings, { id: destId, ...(parentId ? { parentId } : {}) }),
    ),
  };
};

/** A result as stored: both records, why they differ, and where to see them. */
export const makeResult = (ctx: ChunkContext, outcome: Outcome): ResultToSave => {
  const { sourceId, state, reason, destId, runNumber, source, message } = outcome;
  const [owner] = source ? ownersOf(pairOf(ctx).from.stream, source) : [];
  const fields = new Set<string>();
  const short = (record: FamilyRecord | null) => {
    if (!record) return null;
    const made = shortenTexts(record);
    for (const field of made.fields) fields.add(field);
    return made.record;
  };
  return {
    sourceId,
    state,
    reason,
    destId,
    runNumber,
    parent: owner ? { stream: owner.stream, id: owner.id } : null,
    content: {
      source: short(source),
      written: short(outcome.written),
      destination: short(outcome.destination),
      changes: [...outcome.changes, ...(outcome.written ? droppedFrom(ctx, outcome) : [])],
      ...urlsOf(ctx, outcome),
      message,
      shortened: [...fields],
    },
  };
};
