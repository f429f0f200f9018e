import { type FamilyRecord, familyStreams, referencesOf } from "@portage/connector-kit";
import { createRandom } from "@portage/connector-kit/conformance";
import type { StandInOptions } from "./options.ts";
import type { SourceRows } from "./source-rows.ts";

/** How many rows of each kind of change; at random positions. */
export interface Changes {
  readonly update?: number;
  readonly remove?: number;
  readonly add?: number;
  /** The maximum delay before an added row becomes visible. */
  readonly lateMs?: number;
}

export interface Changed {
  readonly updated: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** A steady rate of changes, over the streams in turn, of the three kinds by their weights. */
export interface Churn extends Changes {
  readonly perSecond: number;
  readonly streams: readonly string[];
}

const tickMs = 50;

/** Changes the source as people at work do. */
export const createSourceChanges = (source: ReadonlyMap<string, SourceRows>, options: StandInOptions) => {
  const random = createRandom(`${options.seed}/changes`);
  const rowsOf = (stream: string): SourceRows => {
    const rows = source.get(stream);
    if (!rows) throw new Error(`There is no stream ${stream}.`);
    return rows;
  };
  const anyRow = (rows: SourceRows): FamilyRecord | null => {
    for (let tries = 0; tries < 50; tries += 1) {
      const row = rows.record(1 + random.below(rows.last()));
      if (row) return row;
    }
    return null;
  };

  /** The children of each row of a stream; computed on first use. */
  const belongings = new Map<string, Map<string, { stream: string; id: string }[]>>();
  const belongingsOf = (stream: string) => {
    const known = belongings.get(stream);
    if (known) return known;
    const made = new Map<string, { stream: string; id: string }[]>();
    belongings.set(stream, made);
    for (const child of familyStreams[options.family]) {
      const { parent } = child;
      const canBelong = parent !== null && (child.relations[parent]?.to.includes(stream) ?? false);
      for (let number = 1; canBelong && number <= rowsOf(child.name).last(); number += 1)
        for (const to of referencesOf(child, rowsOf(child.name).record(number) ?? ({} as FamilyRecord)))
          if (to.field === parent && to.stream === stream)
            made.set(to.id, [...(made.get(to.id) ?? []), { stream: child.name, id: String(number) }]);
    }
    return made;
  };
  /** Removes a row with all its children, as tools do. */
  const remove = (stream: string, id: string) => {
    const below = belongingsOf(stream).get(id) ?? [];
    rowsOf(stream).remove(id);
    for (const child of below) remove(child.stream, child.id);
  };

  let edits = 0;
  const updateOne = (stream: string, id: string) => {
    edits += 1;
    rowsOf(stream).update(id, { tags: [`edit-${edits}`] });
  };
  const addOne = (stream: string, lateMs: number) => {
    const rows = rowsOf(stream);
    const model = anyRow(rows);
    if (!model) return [];
    const owners = referencesOf(rows.stream, model)
      .filter(({ field }) => field === rows.stream.parent)
      .map((owner) => ({ of: belongingsOf(owner.stream), id: owner.id }));
    const now = new Date().toISOString();
    const id = rows.add({ ...model, createdAt: now, updatedAt: now, tags: ["added"] }, lateMs);
    // Includes rows that are not visible yet: they go with their owner before they appear.
    for (const owner of owners) owner.of.set(owner.id, [...(owner.of.get(owner.id) ?? []), { stream, id }]);
    return [id];
  };

  const change = (
    stream: string,
    { update = 0, remove: gone = 0, add = 0, lateMs = 0 }: Changes,
  ): Changed => {
    const rows = rowsOf(stream);
    const pick = (count: number) =>
      Array.from({ length: count }, () => anyRow(rows)?.id).filter((id) => id !== undefined);
    const updated = pick(update);
    for (const id of updated) updateOne(stream, id);
    const removed = pick(gone);
    for (const id of removed) remove(stream, id);
    const late = () => (lateMs > 0 ? random.below(lateMs) : 0);
    return { updated, removed, added: Array.from({ length: add }, () => addOne(stream, late())).flat() };
  };

  let timer: NodeJS.Timeout | undefined;
  let done = 0;
  const churn = ({ perSecond, streams, update = 1, remove: gone = 1, add = 1, lateMs = 0 }: Churn) => {
    clearInterval(timer);
    if (perSecond === 0 || streams.length === 0) return;
    const startedAt = performance.now();
    let sinceStart = 0;
    timer = setInterval(() => {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
      for (; sinceStart < due; sinceStart += 1) {
        const dice = random.next() * (update + gone + add);
        const one = dice < update ? { update: 1 } : dice < update + gone ? { remove: 1 } : { add: 1, lateMs };
        change(streams[sinceStart % streams.length] ?? "", one);
        done += 1;
      }
    }, tickMs);
    timer.unref();
  };

  return { change, remove, updateOne, churn, changes: () => done };
};

export type SourceChanges = ReturnType<typeof createSourceChanges>;
