import type { CompiledMapping } from "../../mapping/index.ts";
import { type ChunkContext, pairOf } from "../chunk/chunk-context.ts";
import type { Lease } from "../chunk/lease.ts";
import { externalKey, generationFor, sourceHash } from "../ledger/keys.ts";
import { foundAgain, isOwnCopy, isThere, keptFromBefore, mayExist, standsAt } from "../ledger/row-state.ts";
import { type Claimed, type KnownRow, targetKey } from "../ledger/store-claim.ts";
import type { Link, SettledRow } from "../ledger/store-settle.ts";
import { keepCopy, replacedRow, sentFor } from "./keep-copy.ts";
import {
  type FamilyRecord,
  type FieldChange,
  leaveOutUnheld,
  type Reference,
  referencesOf,
  type Resolve,
  resolveReferences,
} from "@portage/connector-kit";
import { rewriteTexts, textReferencesOf, textsWithReferences } from "@portage/connector-kit/rich-text";

/** What a decision about a record needs: no database and no call. */
type PlanContext = Pick<ChunkContext, "lease" | "streams" | "mapping" | "destination">;

/** What the form of a copy depends on: enough for a preview. */
export interface FormContext extends Pick<ChunkContext, "streams" | "destination"> {
  readonly lease: Pick<Lease, "stream">;
  readonly mapping: Pick<CompiledMapping, "apply" | "copiedPeopleIn">;
}

/** A record as read, with what must be known before it can be written. */
export interface PreparedRecord {
  readonly record: FamilyRecord;
  /** Without the added fields that the destination does not hold. */
  readonly held: FamilyRecord;
  /** Those of them that had a value. */
  readonly unheld: readonly FieldChange[];
  /** Of what is held: a field that no copy gets changes no copy. */
  readonly hash: string;
  readonly references: readonly Reference[];
  readonly parent: string;
}

/** What to do with one record of a page. */
export type Planned =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "settled";
      readonly row: SettledRow;
      readonly counts: "matched" | "skipped" | "failed" | null;
      readonly pending?: readonly Link[];
    }
  | {
      readonly kind: "write";
      readonly prepared: PreparedRecord;
      readonly key: string;
      readonly keyGeneration: number;
      /** The family's record with the destination's ids. */
      readonly record: FamilyRecord;
      /** The copy to update; null: create one. */
      readonly known: (KnownRow & { readonly destId: string }) | null;
      readonly changes: readonly FieldChange[];
      readonly pending: readonly Link[];
      /** What the destination takes in the same call. */
      readonly parts?: readonly PlannedPart[];
    };

/** A record that is written together with its parent. */
export interface PlannedPart {
  readonly stream: string;
  readonly key: string;
  readonly prepared: PreparedRecord;
  readonly record: FamilyRecord;
}

export const prepareRecord = (ctx: FormContext, record: FamilyRecord): PreparedRecord => {
  const { from, to } = pairOf(ctx);
  const { record: held, changes: unheld } = leaveOutUnheld(to ?? { stream: from.stream }, record);
  const people = ctx.mapping.copiedPeopleIn(from.stream, held);
  const references = [
    ...referencesOf(from.stream, held),
    ...textReferencesOf(held),
    ...people.map((person) => ({ field: "customFields", ...person })),
  ];
  const parent = references.find(({ field }) => field === from.stream.parent);
  return {
    record,
    held,
    unheld,
    hash: sourceHash(from.stream, held),
    references,
    parent: parent ? targetKey(parent.stream, parent.id) : "",
  };
};

const noRow = { destId: null, destHash: null, detail: null };

/** This run left it out for a missing parent, which its sweep has copied since. */
export const isOrphan = ({ task, runNumber }: Lease, known: KnownRow | undefined): boolean =>
  task === "sweep" &&
  known?.state === "skipped" &&
  known.reason === "parent_missing" &&
  known.runNumber === runNumber;

const isUnchanged = (ctx: PlanContext, { held, hash }: PreparedRecord, known: KnownRow): boolean => {
  const { lease, mapping } = ctx;
  if (known.state === "undone" || known.state === "kept") return false;
  if (known.state === "failed" || known.state === "skipped")
    return known.runNumber === lease.runNumber && !isOrphan(lease, known);
  return (
    lease.task !== "link" &&
    known.reason === null &&
    known.unclear !== true &&
    known.sourceHash === hash &&
    (!mapping.differsFrom(known.mappingRevision, lease.stream) ||
      mapping.makesSameAs(known.mappingRevision, pairOf(ctx).from.stream, held))
  );
};

/** Null: the person is copied like any other record. */
const planPerson = (
  ctx: PlanContext,
  { record, hash }: PreparedRecord,
  known: KnownRow | undefined,
  hasCopy: boolean,
): Planned | null => {
  const { mapping, lease } = ctx;
  const { to } = pairOf(ctx);
  const stands = mapping.personFor({ stream: lease.stream, id: record.id });
  if (stands.kind === "copy" && to) return null;
  const by = stands.kind === "person" ? stands.id : null;
  // Matched with the copy that an earlier run made of the same person.
  if (known && hasCopy && by !== null && known.destId === by) return null;
  const counts = by === null ? "skipped" : "matched";
  if (known && hasCopy) return { kind: "settled", counts, row: replacedRow(known, by, hash), pending: [] };
  const row = { ...noRow, ...sentFor(known), sourceId: record.id, sourceHash: hash };
  return {
    kind: "settled",
    counts,
    row:
      by === null
        ? { ...row, state: "skipped", reason: "user_unmatched" }
        : { ...row, state: "matched", destId: by, reason: null },
  };
};

/** Leaves a record out; if it has a certain or possible copy, the row keeps that and states the reason. */
const leaveOut = (
  { record, hash }: PreparedRecord,
  known: KnownRow | undefined,
  reason: string,
  { detail, parent }: Pick<SettledRow, "detail" | "parent"> = { detail: null, parent: null },
): Planned => {
  const sent = sentFor(known);
  const row = {
    ...noRow,
    ...sent,
    // What it waits for, if no copy has to be looked for.
    parent: sent.keyGeneration === null ? parent : sent.parent,
    sourceId: record.id,
    state: "skipped" as const,
    sourceHash: hash,
    reason,
    detail,
  };
  const settled = keepCopy(row, known);
  if (settled === row) return { kind: "settled", counts: "skipped", row };
  const isReported = settled.state === "written" || settled.state === "failed";
  return { kind: "settled", counts: isReported ? "failed" : null, row: settled };
};

const pendingLink = (sourceId: string, { field, stream, id }: Reference): Link => ({
  sourceId,
  field,
  toStream: stream,
  toId: id,
});

/** Whether the target of a reference may still be copied: later in this run, or by a retry of failures. */
const mayCome = (ctx: FormContext, claimed: Pick<Claimed, "targets">, { stream, id }: Reference): boolean => {
  const position = (name: string) => ctx.streams.findIndex((each) => each.name === name);
  const there = position(stream);
  if (there < 0) return false;
  if (there >= position(ctx.lease.stream)) return true;
  return claimed.targets.get(targetKey(stream, id))?.state === "failed";
};

/** A record in the form in which its copy should be, with the destination's ids. */
export type ForDestination =
  | {
      readonly kind: "record";
      readonly record: FamilyRecord;
      readonly changes: readonly FieldChange[];
      /** References whose target has no copy yet. */
      readonly waiting: readonly Reference[];
    }
  /** A record that it needs has no copy. */
  | { readonly kind: "missing"; readonly field: string };

/** Applies mapping, people and references to a record: the copy writes the result, and verification expects it. */
export const toDestination = (
  ctx: FormContext,
  claimed: Pick<Claimed, "targets">,
  { held, unheld, references }: PreparedRecord,
  /** The keys of records in the same write: relations hold these, as long as there is no id. */
  together: ReadonlyMap<string, string> = new Map(),
): ForDestination => {
  const { mapping, destination } = ctx;
  const { from } = pairOf(ctx);
  const resolve = ({ stream, id }: { stream: string; id: string }) => {
    const target = claimed.targets.get(targetKey(stream, id));
    return target && isThere(target.state) ? standsAt(target) : null;
  };
  const mapped = mapping.apply(from.stream, held, resolve);
  const resolved = resolveReferences(
    from.stream,
    mapped.record,
    (to) => together.get(targetKey(to.stream, to.id)) ?? resolve(to),
  );
  if (resolved.kind === "missing") return resolved;
  const waiting = references.filter(
    (reference) => resolve(reference) === null && mayCome(ctx, claimed, reference),
  );
  const waits = new Set(waiting.map(({ field }) => field));
  const addressOf = (at: { stream: string; id: string }, url: string) => {
    const id = resolve(at);
    const target = ctx.streams.find(({ name }) => name === at.stream)?.to;
    if (id === null || !/^(https?:)?\//i.test(url)) return null;
    return target?.urlOf?.(destination.settings, { id }) ?? null;
  };
  return {
    kind: "record",
    record: resolveTextReferences(rewriteTexts(resolved.record, addressOf), resolve),
    changes: [
      ...mapped.changes,
      ...unheld,
      ...resolved.cleared
        .filter((field) => !waits.has(field))
        .map((field) => ({
          field,
          change: "cleared" as const,
          why: "What it pointed to was not copied.",
        })),
    ],
    waiting,
  };
};

const planWrite = (ctx: PlanContext, claimed: Claimed, prepared: PreparedRecord): Planned => {
  const { lease } = ctx;
  const { id } = prepared.record;
  const found = claimed.known.get(id);
  const known =
    found && found.state === "written" && found.destId !== null ? { ...found, destId: found.destId } : null;
  if (!pairOf(ctx).to) return leaveOut(prepared, found, "not_supported");
  const made = toDestination(ctx, claimed, prepared);
  if (made.kind === "missing") {
    const missing = prepared.references.find(({ field }) => field === made.field);
    const target = missing && claimed.targets.get(targetKey(missing.stream, missing.id));
    // It stays with what it belongs to: chosen, not lost.
    const isChosen = target?.state === "skipped" && target.reason === "not_selected";
    return leaveOut(prepared, found, isChosen ? "not_selected" : "parent_missing", {
      detail: made.field,
      parent: missing ? targetKey(missing.stream, missing.id) : null,
    });
  }
  const keyGeneration = generationFor(lease.runNumber, found);
  return {
    kind: "write",
    prepared,
    keyGeneration,
    key: externalKey({ importId: lease.importId, stream: lease.stream, keyGeneration, sourceId: id }),
    record: made.record,
    known,
    changes: made.changes,
    pending: made.waiting.map((reference) => pendingLink(id, reference)),
  };
};

/** It stayed after an undo: a second copy would be a duplicate. The next undo compares it with what the import wrote. */
const planKept = (
  { record, hash }: PreparedRecord,
  { destId, destHash, keyGeneration, unclear = false }: KnownRow,
): Planned => ({
  kind: "settled",
  counts: "matched",
  row: {
    ...noRow,
    sourceId: record.id,
    state: "matched",
    destId,
    destHash,
    unclear,
    sourceHash: hash,
    reason: keptFromBefore,
    keyGeneration,
    parent: null,
  },
});

/** Decides what to do with one record of a claimed page. */
export const planRecord = (
  ctx: PlanContext,
  claimed: Claimed,
  prepared: PreparedRecord,
  /** Copies from before an undo that are still there. */
  stillThere: ReadonlySet<string>,
): Planned => {
  const known = claimed.known.get(prepared.record.id);
  if (known && isUnchanged(ctx, prepared, known)) return { kind: "unchanged" };
  // No one saw it: like any write without an answer, it is looked up before it is sent again.
  const isUnseen = known !== undefined && mayExist(known);
  // What an undo kept is gone if it was not there.
  const isGone = known?.state === "kept" && !stillThere.has(prepared.record.id);
  const hasCopy = isUnseen || (known !== undefined && isOwnCopy(known) && !isGone);
  const isPerson = pairOf(ctx).from.stream.kind === "people";
  const person = isPerson ? planPerson(ctx, prepared, known, hasCopy) : null;
  // It may be incomplete: later requests of the connector, and the links, were lost with the answer.
  if (known?.reason === foundAgain && !person) return planWrite(ctx, claimed, prepared);
  if (known && !person && !isUnseen) {
    if (known.state === "kept" && !isGone) return planKept(prepared, known);
    // A match stays a match: linked, never changed. Whom a person is matched with, the mapping decides.
    if (known.state === "matched" && (!isPerson || hasCopy)) return { kind: "unchanged" };
  }
  // The row of a removed copy has its id, too.
  const isKnown = known !== undefined && known.state !== "undone" && !isGone && known.destId !== null;
  if (!isKnown && !ctx.mapping.isSelected(pairOf(ctx).from.stream, prepared.record)) {
    const row = isGone && !isUnseen ? undefined : known;
    return leaveOut(prepared, row, "not_selected");
  }
  return person ?? planWrite(ctx, claimed, prepared);
};

/**
 * Points the references in the record's texts to copies; notations of a tool (a number after a mark, a file's name) are
 * for its connector to replace. References without a copy point nowhere.
 */
export const resolveTextReferences = <T extends FamilyRecord>(record: T, resolve: Resolve): T => {
  const texts = textsWithReferences(record);
  if (texts.length === 0) return record;
  const changed = texts.map(([field, value]) => {
    const references = value.references.map((reference) => {
      const id = reference.to ? resolve(reference.to) : null;
      return { ...reference, to: reference.to && id !== null ? { stream: reference.to.stream, id } : null };
    });
    return [field, { ...value, references }] as const;
  });
  return { ...record, ...Object.fromEntries(changed) };
};
