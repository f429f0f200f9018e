import {
  type Declared,
  declaredOf,
  declaredTogether,
  differingFields,
  linkOf,
  type FamilyRecord,
} from "@portage/connector-kit";
import { holdsPeople } from "../../mapping/index.ts";
import { pairOf, type ChunkContext, type RunMapping } from "../chunk/chunk-context.ts";
import type { TallyBook } from "../chunk/tallies.ts";
import { type CopyRead, findCopies, readCopies, recordOf } from "../copy/look-up.ts";
import { type PreparedRecord, prepareRecord, toDestination } from "../copy/plan-record.ts";
import type { ReadByIds } from "../copy/read-by-ids.ts";
import { keyOfCopy, parentIn } from "../ledger/keys.ts";
import { foundAgain } from "../ledger/row-state.ts";
import { lookUp, type Target, targetKey } from "../ledger/store-claim.ts";
import type { LedgerRow } from "../ledger/store-ledger.ts";
import { compareFile } from "./compare-file.ts";

export type Verdict =
  | { readonly kind: "same" }
  | { readonly kind: "differs"; readonly fields: readonly string[] }
  /** The source has another version of it by now, or none: the copy was not compared. */
  | { readonly kind: "changed" }
  /** The destination has no copy any more. */
  | { readonly kind: "gone" }
  /** One of the tools did not show it: it was not compared. */
  | { readonly kind: "refused" };

const maxExamples = 20;

/** The name under which a report lists other bytes. */
export const bytesField = "file";

type Copied = LedgerRow & { readonly destId: string };

/** A run knew the source's version and did not bring the copy up to date: it differs, and no later run changes that. */
export const isBehind = ({ reason }: LedgerRow) => reason !== null && reason !== foundAgain;

/** Judges one copy by its record in the source, as the mapping and the declared changes would have it. */
type Judge = (row: Copied, copy: CopyRead | undefined) => Verdict;

/** The targets of a copy's references, with people as its mapping had them: others may be matched with them by now. */
const targetsBy = (
  { personFor }: Pick<RunMapping, "personFor">,
  { references }: PreparedRecord,
  known: ReadonlyMap<string, Target>,
): ReadonlyMap<string, Target> => {
  const targets = new Map(known);
  for (const { stream, id } of references.filter((each) => holdsPeople(each.stream))) {
    const answer = personFor({ stream, id });
    const person = { stream, sourceId: id, reason: null, detail: null };
    if (answer.kind === "none") targets.delete(targetKey(stream, id));
    if (answer.kind === "person")
      targets.set(targetKey(stream, id), { ...person, state: "matched", destId: answer.id });
  }
  return targets;
};

const judgeBy = async (
  ctx: ChunkContext,
  rows: readonly LedgerRow[],
  { records, unreadable }: ReadByIds,
): Promise<Judge> => {
  const { to } = pairOf(ctx);
  const { mapping, lease } = ctx;
  // A retry or a delta leaves copies as an earlier mapping made them: they are as the customer had it then.
  const earlier = new Map(
    rows
      .filter(({ mappingRevision }) => mapping.differsFrom(mappingRevision, lease.stream))
      .map(({ sourceId, mappingRevision }) => [sourceId, mapping.asOf(mappingRevision)]),
  );
  const mappingOf = (id: string) => earlier.get(id) ?? mapping;
  const prepared = new Map(
    records.map((record) => [record.id, prepareRecord({ ...ctx, mapping: mappingOf(record.id) }, record)]),
  );
  const targets = await lookUp(
    ctx.db,
    ctx.lease,
    [...prepared.values()].flatMap(({ references }) => references),
  );
  const hidden = new Set(unreadable.map(({ id }) => id));
  const ofStream: Declared = to ? declaredOf(to) : {};
  return (row, copy) => {
    if (copy?.kind === "refused" || hidden.has(row.sourceId)) return { kind: "refused" };
    const got = recordOf(copy);
    if (!got || !to) return { kind: "gone" };
    const source = prepared.get(row.sourceId);
    if (!source || (!isBehind(row) && row.sourceHash && source.hash !== row.sourceHash))
      return { kind: "changed" };
    const by = mappingOf(row.sourceId);
    const made = toDestination(
      { ...ctx, mapping: by },
      { targets: by === mapping ? targets : targetsBy(by, source, targets) },
      source,
    );
    if (made.kind === "missing") return { kind: "differs", fields: [made.field] };
    const fields = differingFields(to.stream, made.record, got, declaredTogether(ofStream, row.declared));
    return fields.length > 0 ? { kind: "differs", fields } : { kind: "same" };
  };
};

type Bytes = Awaited<ReturnType<typeof compareFile>>;

/** What the comparison of one copy showed. */
export interface Comparison {
  readonly sourceId: string;
  readonly verdict: Verdict;
  /** Of a file whose fields were compared; else null. */
  readonly bytes: Bytes | null;
  /** Further copies under the same key. */
  readonly surplus: number;
}

/** Adds the bytes to the verdict about a file's fields. */
const withBytes = async (
  ctx: ChunkContext,
  verdict: Verdict,
  { source, destId }: { readonly source: FamilyRecord | undefined; readonly destId: string },
): Promise<Pick<Comparison, "verdict" | "bytes">> => {
  if (!source || (verdict.kind !== "same" && verdict.kind !== "differs")) return { verdict, bytes: null };
  if (linkOf(pairOf(ctx).from.stream, source) !== null) return { verdict, bytes: null };
  const bytes = await compareFile(ctx, source, destId);
  if (bytes !== "differs") return { verdict, bytes };
  const fields = [...(verdict.kind === "differs" ? verdict.fields : []), bytesField];
  return { verdict: { kind: "differs", fields }, bytes };
};

/** Reads copies back and compares each with the source as it was just read. */
export const compareCopies = async (
  ctx: ChunkContext,
  rows: readonly LedgerRow[],
  read: ReadByIds,
): Promise<readonly Comparison[]> => {
  const { from, to } = pairOf(ctx);
  const copies = rows.flatMap((row) => (row.destId === null ? [] : [{ ...row, destId: row.destId }]));
  if (!to || copies.length === 0) return [];
  const now = await readCopies(
    ctx,
    copies.map(({ destId }) => destId),
  );
  const found = await findCopies(
    ctx,
    copies.map((row, index) => ({
      key: keyOfCopy(ctx.lease, row),
      since: new Date(0),
      ...parentIn(from.stream, recordOf(now[index])),
    })),
  );
  const judge = await judgeBy(ctx, copies, read);
  const sources = new Map(read.records.map((record) => [record.id, record]));
  const hasBytes = from.stream.kind === "file";
  const compared: Comparison[] = [];
  for (const [index, row] of copies.entries()) {
    const { sourceId, destId } = row;
    const verdict = judge(row, now[index]);
    const same = found[index];
    const times = same?.kind === "found" ? same.ids.length : 0;
    compared.push({
      sourceId,
      ...(hasBytes
        ? await withBytes(ctx, verdict, { source: sources.get(sourceId), destId })
        : { verdict, bytes: null }),
      surplus: Math.max(0, times - 1),
    });
  }
  return compared;
};

/** Adds verdicts to the counts of the report, with a few examples of each. */
export const countComparisons = (book: TallyBook, compared: readonly Comparison[]): void => {
  for (const { sourceId, verdict, bytes, surplus } of compared) {
    if (bytes !== null) book.count(`verified_file|${bytes}`);
    book.count(`verified|${verdict.kind}`);
    if (verdict.kind !== "same") book.example(verdict.kind, sourceId, maxExamples);
    if (verdict.kind === "differs") book.differing(verdict.fields, sourceId, maxExamples);
    if (surplus > 0) {
      book.count("verified|doubled", surplus);
      book.example("doubled", sourceId, maxExamples);
    }
  }
};
