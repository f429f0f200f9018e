import {
  ConnectorError,
  type FamilyRecord,
  type FamilyStream,
  type Io,
  type Outcome,
  watchEffects,
  type Write,
} from "@portage/connector-kit";
import { type Answer, ask, inOrder } from "./ask.ts";
import { chunksOf, type Limits } from "./chunks.ts";
import type { Settings } from "./settings.ts";
import { type FileProof, uploadFile } from "./upload.ts";

interface Item {
  readonly key: string;
  readonly id: string | null;
  readonly record: Record<string, unknown>;
  readonly file?: FileProof;
}

type WireOutcome = Answer<"write">["outcomes"][number];

const outcomeOf = <T extends FamilyRecord>(stream: FamilyStream<T>, answered: WireOutcome): Outcome<T> => {
  if (answered.kind === "matched") return { kind: "matched", id: answered.id };
  if (answered.kind === "rejected") {
    const { kind, code, message, field } = answered;
    return { kind, code, message, ...(field !== undefined && { field }) };
  }
  const { kind, id, changes } = answered;
  // Drops an invalid record: the copy exists all the same, and the engine will read it.
  const record = stream.schema.safeParse(answered.record).data;
  return {
    kind,
    id,
    ...(record && { record }),
    ...(changes && { changes }),
  };
};

/**
 * The outcome of a record that an error concerns; rethrows an error that concerns the whole run. `mayExist`: the destination
 * may have created the record all the same.
 */
const struck = <T>(error: unknown, mayExist: boolean): Outcome<T> => {
  if (!(error instanceof ConnectorError)) throw error;
  const { recovery, code, message } = error;
  if (recovery === "skip-record")
    return mayExist ? { kind: "unknown", why: message } : { kind: "rejected", code, message };
  // The write may have taken effect; a retry is harmless. A temporary refusal has no effect, so it is not unknown.
  if (recovery === "retry" && code !== "rate_limited" && code !== "busy")
    return { kind: "unknown", why: message };
  throw error;
};

const splits = (error: unknown) =>
  error instanceof ConnectorError && (error.status === 413 || error.status === 422);

/** Writes items. It halves a batch that is too large or has a record that the destination refuses, down to one item. */
const writeItems = async <T extends FamilyRecord>(
  io: Io<Settings>,
  stream: FamilyStream<T>,
  items: readonly Item[],
): Promise<readonly Outcome<T>[]> => {
  const watched = watchEffects(io);
  try {
    const { outcomes } = await ask(watched.io, "write", {
      family: stream.family,
      stream: stream.name,
      items: [...items],
    });
    const fits = outcomes.every(({ key }, index) => key === items[index]?.key);
    return inOrder(items.length, outcomes, fits).map((answered) => outcomeOf(stream, answered));
  } catch (error) {
    if (items.length === 1 || !splits(error))
      return items.map(({ id }) => struck<T>(error, id === null && watched.mayHaveEffect()));
    const half = Math.ceil(items.length / 2);
    return [
      ...(await writeItems(io, stream, items.slice(0, half))),
      ...(await writeItems(io, stream, items.slice(half))),
    ];
  }
};

const tooLarge = (bytes: number): Outcome<never> => ({
  kind: "rejected",
  code: "too_large",
  message: `The file is larger than the destination's limit of ${bytes} bytes.`,
});

const uploaded = async <T extends FamilyRecord>(
  io: Io<Settings>,
  stream: FamilyStream<T>,
  { fileBytes }: Limits,
  { key, id, record, file }: Write<T>,
): Promise<{ item: Item } | { outcome: Outcome<T> }> => {
  const item = { key, id, record: record as unknown as Record<string, unknown> };
  if (!file) return { item };
  if (fileBytes !== null && (file.size ?? 0) > fileBytes) return { outcome: tooLarge(fileBytes) };
  try {
    return {
      item: { ...item, file: await uploadFile(io, stream, key, file) },
    };
  } catch (error) {
    return { outcome: struck(error, false) };
  }
};

export const writeBatch = async <T extends FamilyRecord>(
  io: Io<Settings>,
  stream: FamilyStream<T>,
  limits: Limits,
  batch: readonly Write<T>[],
): Promise<readonly Outcome<T>[]> => {
  const outcomes: Outcome<T>[] = [];
  const waiting: { readonly at: number; readonly item: Item }[] = [];
  for (const [at, write] of batch.entries()) {
    const ready = await uploaded(io, stream, limits, write);
    if ("item" in ready) waiting.push({ at, item: ready.item });
    else outcomes[at] = ready.outcome;
  }
  for (const chunk of chunksOf(waiting, limits)) {
    const written = await writeItems(
      io,
      stream,
      chunk.map(({ item }) => item),
    );
    for (const [index, { at }] of chunk.entries()) outcomes[at] = written[index] as Outcome<T>;
  }
  return outcomes;
};
