import { type ChunkContext, forStream, pairOf } from "../chunk/chunk-context.ts";
import { onSide } from "../chunk/sides.ts";
import type { WriteDeadline } from "../chunk/write-deadline.ts";
import type { Planned, PlannedPart } from "./plan-record.ts";
import {
  ConnectorError,
  type FamilyRecord,
  type FileBody,
  isConnectorError,
  linkOf,
  type Outcome,
  unheldFields,
  type WatchedIo,
  watchEffects,
  type Write,
} from "@portage/connector-kit";

export type ToWrite = Extract<Planned, { kind: "write" }>;

/** `unsent`: no byte of it went out, so nothing about it is in doubt. */
export type Sent = Outcome | { readonly kind: "unsent" };

export interface WrittenPage {
  readonly outcomes: ReadonlyMap<string, Sent>;
  /** Copies whose update was refused, though a part of it may have taken effect. */
  readonly disturbed: ReadonlySet<string>;
  /** An error that concerns more than single records: sign-in, quota, tool down. */
  readonly error: Error | null;
}

const concurrency = 8;

const concernsOne = (cause: unknown): cause is ConnectorError =>
  isConnectorError(cause) && cause.recovery === "skip-record";

const rejected = ({ code, message }: ConnectorError): Outcome => ({ kind: "rejected", code, message });

/**
 * Opens the file on demand, within the write's deadline; its errors belong to the source. Notes the failing record: the
 * write that it breaks off may contain many.
 */
const fileOf = async (
  ctx: ChunkContext,
  { prepared }: Pick<ToWrite, "prepared">,
  signal: AbortSignal,
  broken: { set(id: string, cause: ConnectorError): unknown },
): Promise<FileBody | null> => {
  const { from, to } = pairOf(ctx);
  if (linkOf(from.stream, prepared.record) !== null) {
    // Without its address nothing would be left of it.
    if (!to || unheldFields(to).includes("url"))
      throw new ConnectorError({
        recovery: "skip-record",
        code: "link_not_held",
        message: "It is a link to a file elsewhere, and the new tool holds files only.",
      });
    return null;
  }
  if (!from.openFile) return null;
  const file = await onSide("source", async () => from.openFile?.(ctx.source.io(signal), prepared.record));
  const open = async () => {
    try {
      return await onSide("source", async () => (file as FileBody).open());
    } catch (cause) {
      if (concernsOne(cause)) broken.set(prepared.record.id, cause);
      throw cause;
    }
  };
  return file ? { ...file, open } : null;
};

/**
 * The parts of a new record, by stream. One whose file is not to be had is left out: its own stream reports it. Notes in `broken`
 * the key of a part whose file ends early.
 */
const partsOf = async (
  ctx: ChunkContext,
  parts: readonly PlannedPart[],
  signal: AbortSignal,
  broken: Set<string>,
): Promise<Pick<Write<FamilyRecord>, "parts">> => {
  if (parts.length === 0) return {};
  const made: Record<string, Write<FamilyRecord>[]> = {};
  for (const { stream, key, prepared, record } of parts)
    try {
      const noted = { set: () => broken.add(key) };
      const file = await fileOf(forStream(ctx, stream), { prepared }, signal, noted);
      (made[stream] ??= []).push({ key, record, id: null, ...(file ? { file } : {}) });
    } catch (cause) {
      if (!concernsOne(cause)) throw cause;
    }
  return { parts: made };
};

/** Sends the writes in the destination's batches. A timeout is `unknown`, never a failure. */
export const writePage = async (
  ctx: ChunkContext,
  all: readonly ToWrite[],
  deadline: WriteDeadline,
): Promise<WrittenPage> => {
  const { to } = pairOf(ctx);
  const outcomes = new Map<string, Sent>();
  const disturbed = new Set<string>();
  let error: Error | null = null;
  if (!to || all.length === 0) return { outcomes, disturbed, error };
  const waiting = [...writeChains(all, Math.max(1, to.batchSize), ({ prepared }) => prepared.parent)];

  const noteDisturbed = (
    sent: readonly { readonly planned: ToWrite }[],
    watched: Pick<WatchedIo<unknown>, "mayHaveEffect">,
  ) => {
    if (!watched.mayHaveEffect()) return;
    for (const {
      planned: { known, prepared },
    } of sent)
      if (known && outcomes.get(prepared.record.id)?.kind === "rejected") disturbed.add(prepared.record.id);
  };

  const writeBatch = async (
    batch: readonly ToWrite[],
    without: ReadonlySet<string> = new Set(),
  ): Promise<void> => {
    const brokenParts = new Set<string>();
    const sendable: { planned: ToWrite; write: Write<never> }[] = [];
    const broken = new Map<string, ConnectorError>();
    for (const planned of batch) {
      const { key, record, known, parts: own = [] } = planned;
      try {
        const file = await fileOf(ctx, planned, deadline.signal, broken);
        const wanted = own.filter((part) => !without.has(part.key));
        const parts = await partsOf(ctx, wanted, deadline.signal, brokenParts);
        const write = { key, record, id: known?.destId ?? null, ...(file ? { file } : {}), ...parts };
        sendable.push({ planned, write: write as unknown as Write<never> });
      } catch (cause) {
        if (!concernsOne(cause)) throw cause;
        outcomes.set(planned.prepared.record.id, rejected(cause));
      }
    }
    const ids = sendable.map(({ planned }) => planned.prepared.record.id);
    if (sendable.length === 0) return;
    if (!deadline.maySend()) return ids.forEach((id) => outcomes.set(id, { kind: "unsent" }));
    const watched = watchEffects(ctx.destination.io(deadline.signal, deadline.maySend));
    try {
      const answered = await onSide("destination", () =>
        to.write(
          watched.io,
          sendable.map(({ write }) => write),
        ),
      );
      ids.forEach((id, index) =>
        outcomes.set(id, answered[index] ?? { kind: "unknown", why: "The tool gave no answer for it." }),
      );
      noteDisturbed(sendable, watched);
    } catch (cause) {
      if (!concernsOne(cause)) {
        for (const id of ids) outcomes.set(id, { kind: "unknown", why: "The call failed." });
        throw cause;
      }
      // A part's file that can't be read must not cost the record: it goes without that part.
      if (brokenParts.size > 0 && !watched.mayHaveEffect())
        return writeBatch(batch, new Set([...without, ...brokenParts]));
      for (const { planned } of sendable) {
        const { id } = planned.prepared.record;
        // One unavailable file says nothing about the others, some of which may have been sent.
        const reason = broken.size === 0 ? cause : broken.get(id);
        // A refusal proves that nothing was created only if nothing took effect before it.
        const isCertain = planned.known !== null || !watched.mayHaveEffect();
        if (reason && isCertain) outcomes.set(id, rejected(reason));
        else outcomes.set(id, { kind: "unknown", why: (reason ?? cause).message });
      }
      noteDisturbed(sendable, watched);
    }
  };

  const work = async () => {
    for (let chain = waiting.shift(); chain; chain = waiting.shift()) {
      try {
        for (const batch of chain) await writeBatch(batch);
      } catch (cause) {
        error ??= cause as Error;
        // An error of the whole tool also ends the remaining batches.
        for (const { prepared } of [chain, ...waiting.splice(0)].flat(2))
          if (!outcomes.has(prepared.record.id)) outcomes.set(prepared.record.id, { kind: "unsent" });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, work));
  return { outcomes, disturbed, error };
};

/**
 * Cuts a page into chains of batches: chains are written in parallel, the batches of a chain one after the other.
 * Records of one parent are in one chain, in order: tools lock the parent, and show its parts as they came.
 */
export const writeChains = <T>(
  all: readonly T[],
  size: number,
  parentOf: (each: T) => string,
): readonly (readonly (readonly T[])[])[] => {
  const chains: T[][] = [];
  const families = Map.groupBy(all.entries(), ([index, each]) => parentOf(each) || index);
  for (const family of families.values()) {
    const members = family.map(([, each]) => each);
    const last = chains.at(-1);
    if (last && last.length + members.length <= size) last.push(...members);
    else chains.push(members);
  }
  return chains.map((chain) =>
    Array.from({ length: Math.ceil(chain.length / size) }, (_, index) =>
      chain.slice(index * size, (index + 1) * size),
    ),
  );
};
