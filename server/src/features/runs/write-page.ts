import {
  type ConnectorError,
  type FileBody,
  isConnectorError,
  type Outcome,
  type Write,
} from "@portage/connector-kit";
import type { Planned } from "./plan-writes.ts";
import { onSide } from "./sides.ts";
import { pairOf, type Workplace } from "./workplace.ts";
import { writeChains } from "./write-chains.ts";
import type { WriteDeadline } from "./write-deadline.ts";

export type ToWrite = Extract<Planned, { kind: "write" }>;

/** `unsent`: no byte of it went out, so that nothing about it is in doubt. */
export type Sent = Outcome | { readonly kind: "unsent" };

export interface WrittenPage {
  readonly outcomes: ReadonlyMap<string, Sent>;
  /** What concerns more than single records: sign-in, quota, tool down. */
  readonly error: Error | null;
}

const atOnce = 8;

const concernsOne = (cause: unknown): cause is ConnectorError =>
  isConnectorError(cause) && cause.recovery === "skip-record";

const rejected = ({ code, message }: ConnectorError): Outcome => ({ kind: "rejected", code, message });

/**
 * A file is opened when it is asked for, with the time of the write, and its errors are the source's. Whose file it was
 * is noted: the write that it breaks off may be of many records.
 */
const fileOf = async (
  place: Workplace,
  { prepared }: ToWrite,
  signal: AbortSignal,
  broken: Map<string, ConnectorError>,
): Promise<FileBody | null> => {
  const { from } = pairOf(place);
  if (!from.openFile) return null;
  const file = await onSide("source", async () => from.openFile?.(place.source.io(signal), prepared.record));
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

/** Sends what is to be written, in the destination's batches. A time-out is `unknown`, never a failure. */
export const writePage = async (
  place: Workplace,
  all: readonly ToWrite[],
  deadline: WriteDeadline,
): Promise<WrittenPage> => {
  const { to } = pairOf(place);
  const outcomes = new Map<string, Sent>();
  let error: Error | null = null;
  if (!to || all.length === 0) return { outcomes, error };
  const io = place.destination.io(deadline.signal, deadline.maySend);
  const waiting = [...writeChains(all, Math.max(1, to.batchSize), ({ prepared }) => prepared.parent)];

  const writeBatch = async (batch: readonly ToWrite[]) => {
    const sendable: { planned: ToWrite; write: Write<never> }[] = [];
    const broken = new Map<string, ConnectorError>();
    for (const planned of batch) {
      const { key, record, known } = planned;
      try {
        const file = await fileOf(place, planned, deadline.signal, broken);
        const write = { key, record, id: known?.destId ?? null, ...(file ? { file } : {}) };
        sendable.push({ planned, write: write as unknown as Write<never> });
      } catch (cause) {
        if (!concernsOne(cause)) throw cause;
        outcomes.set(planned.prepared.record.id, rejected(cause));
      }
    }
    const ids = sendable.map(({ planned }) => planned.prepared.record.id);
    if (sendable.length === 0) return;
    if (!deadline.maySend()) return ids.forEach((id) => outcomes.set(id, { kind: "unsent" }));
    try {
      const answered = await onSide("destination", () =>
        to.write(
          io,
          sendable.map(({ write }) => write),
        ),
      );
      ids.forEach((id, index) =>
        outcomes.set(id, answered[index] ?? { kind: "unknown", why: "The tool gave no answer for it." }),
      );
    } catch (cause) {
      if (!concernsOne(cause)) {
        for (const id of ids) outcomes.set(id, { kind: "unknown", why: "The call failed." });
        throw cause;
      }
      // One file that can't be had says nothing of the others, some of which may have been sent.
      for (const id of ids) {
        const own = broken.size === 0 ? cause : broken.get(id);
        outcomes.set(id, own ? rejected(own) : { kind: "unknown", why: "Another file broke off the call." });
      }
    }
  };

  const work = async () => {
    for (let chain = waiting.shift(); chain; chain = waiting.shift()) {
      try {
        for (const batch of chain) await writeBatch(batch);
      } catch (cause) {
        error ??= cause as Error;
        // What concerns the whole tool concerns the batches that are left.
        for (const { prepared } of [chain, ...waiting.splice(0)].flat(2))
          if (!outcomes.has(prepared.record.id)) outcomes.set(prepared.record.id, { kind: "unsent" });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, work));
  return { outcomes, error };
};
