import {
  type FamilyRecord,
  type FamilyStream,
  ownersOf,
  type Reference,
  referencesOf,
} from "@portage/connector-kit";
import { textReferencesOf } from "@portage/connector-kit/rich-text";
import type { SampleBounds } from "./bounds.ts";
import { atKey, candidateKey } from "./candidate.ts";
import type { ChooseWork, Closure, Expansion, Why } from "./choose-work.ts";
import { allOf, pagesAtOnce, type SourceReader } from "./source-reader.ts";
import { recordTitle } from "./record-title.ts";

const idsPerStep = 25;
const ownersPerStep = 10;
const maxCutReported = 50;

export const newClosure = (
  roots: readonly { readonly stream: string; readonly id: string; readonly why: Why }[],
): Closure => ({
  records: new Map(roots.map((root) => [candidateKey(root), root.why])),
  toRead: new Map(roots.map((root) => [candidateKey(root), "part"])),
  expanded: new Set(),
  toExpand: [],
  left: 0,
  cut: [],
  titles: new Map(),
});

const isKnown = ({ records, toRead }: Closure, key: string) => records.has(key) || toRead.has(key);

/** Roots are in both from the beginning, so each counts once. */
const sizeOf = ({ records, toRead }: Closure): number =>
  records.size + [...toRead.keys()].filter((key) => !records.has(key)).length;

/**
 * Adds a record to the sample, and notes what it needs. Follows relations to their end; follows links in texts only
 * from chosen records and their parts, as otherwise half the tool would come along, link by link.
 */
const include = (
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
  stream: FamilyStream,
  record: FamilyRecord,
  role: "part" | "needed",
) => {
  const { layout } = reader;
  const own = candidateKey({ stream: stream.name, id: record.id });
  if (!closure.records.has(own)) closure.records.set(own, "needed");
  const title = closure.records.get(own) === "needed" ? null : recordTitle(record);
  if (title !== null) closure.titles?.set(own, title);
  closure.toRead.delete(own);
  const follow = (to: Reference, isRequired: boolean) => {
    const key = candidateKey(to);
    if (!layout.find(to.stream) || isKnown(closure, key)) return;
    if (!isRequired && sizeOf(closure) >= bounds.records) closure.left += 1;
    else closure.toRead.set(key, "needed");
  };
  for (const to of referencesOf(stream, record)) follow(to, stream.relations[to.field]?.missing === "skip");
  if (role === "needed" || closure.expanded.has(own)) return;
  closure.expanded.add(own);
  for (const to of textReferencesOf(record)) follow(to, false);
  for (const { name } of layout.childrenOf(stream.name))
    closure.toExpand.push({
      stream: name,
      owner: { stream: stream.name, id: record.id },
      cursor: null,
      taken: 0,
    });
};

/** Reads the next of every stream that are known by id. */
const readNext = async (closure: Closure, reader: SourceReader, bounds: SampleBounds): Promise<boolean> => {
  const asked = [...Map.groupBy(closure.toRead, ([key]) => atKey(key).stream)].map(([name, all]) => ({
    name,
    all: all.slice(0, idsPerStep),
  }));
  const found = await allOf(
    asked.map(({ name, all }) =>
      reader.byIds(
        name,
        all.map(([key]) => atKey(key).id),
      ),
    ),
  );
  for (const [index, { name, all }] of asked.entries()) {
    const stream = reader.layout.find(name);
    const byId = new Map(found[index]?.map((record) => [record.id, record]));
    for (const [key, role] of all) {
      const record = byId.get(atKey(key).id);
      closure.toRead.delete(key);
      if (record && stream) include(closure, reader, bounds, stream, record, role);
      // It is gone: the records that point to it do without, as in a full run.
      else closure.records.delete(key);
    }
  }
  return asked.length > 0;
};

const cutOff = (closure: Closure, { owner, stream }: Expansion) => {
  if (closure.cut.length < maxCutReported) closure.cut.push(`${candidateKey(owner)} ${stream}`);
};

const isFull = (closure: Closure, bounds: SampleBounds, { taken }: Expansion) =>
  taken >= bounds.childrenPerParent || sizeOf(closure) >= bounds.records;

/** Takes the parts of a record, as far as there is space. False: there are more. */
const takeParts = (
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
  expansion: Expansion,
  records: readonly FamilyRecord[],
): boolean => {
  const stream = reader.layout.find(expansion.stream);
  if (!stream) return true;
  for (const record of records) {
    const isNew = !isKnown(closure, candidateKey({ stream: stream.name, id: record.id }));
    if (isNew && isFull(closure, bounds, expansion)) return false;
    expansion.taken += 1;
    include(closure, reader, bounds, stream, record, "part");
  }
  return true;
};

/** Reads a page of parts of each; the result takes them. */
const expandPerParent = async (
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
  some: readonly Expansion[],
): Promise<() => void> => {
  const now = some.slice(0, pagesAtOnce);
  const pages = await allOf(
    now.map(({ stream, owner, cursor }) => reader.page(stream, { parentId: owner.id, cursor })),
  );
  return () => {
    const done = new Set<Expansion>();
    for (const [index, expansion] of now.entries()) {
      const page = pages[index] ?? { records: [], next: null };
      const all = takeParts(closure, reader, bounds, expansion, page.records);
      if (!all) cutOff(closure, expansion);
      if (!all || page.next === null) done.add(expansion);
      expansion.cursor = page.next;
    }
    closure.toExpand = closure.toExpand.filter((expansion) => !done.has(expansion));
  };
};

const expandByParents = async (
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
  some: readonly Expansion[],
): Promise<() => void> => {
  const now = some.slice(0, ownersPerStep);
  const name = now[0]?.stream ?? "";
  const stream = reader.layout.find(name);
  const records = await reader.byParents(
    name,
    now.map(({ owner }) => owner),
  );
  return () => {
    for (const expansion of now) {
      const key = candidateKey(expansion.owner);
      const own = records.filter(
        (record) => stream && ownersOf(stream, record).some((to) => candidateKey(to) === key),
      );
      if (!takeParts(closure, reader, bounds, expansion, own)) cutOff(closure, expansion);
    }
    closure.toExpand = closure.toExpand.filter((expansion) => !now.includes(expansion));
  };
};

/** Parts found by a search are known only by id: they are read with the other needed records. */
const expandNoted = (work: ChooseWork, closure: Closure, bounds: SampleBounds, expansion: Expansion) => {
  const { stream, owner } = expansion;
  for (const id of work.noted.get(stream)?.get(candidateKey(owner)) ?? []) {
    const key = candidateKey({ stream, id });
    if (closure.expanded.has(key)) continue;
    if (!isKnown(closure, key) && isFull(closure, bounds, expansion)) {
      cutOff(closure, expansion);
      break;
    }
    expansion.taken += 1;
    closure.toRead.set(key, "part");
  }
  closure.toExpand = closure.toExpand.filter((each) => each !== expansion);
};

/** Reads a little more of what the chosen records need, of every stream at once. False: the sample is closed. */
export const closeSample = async (
  work: ChooseWork,
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
): Promise<boolean> => {
  // Needed records come before parts: if there is not space for both, a ticket keeps its customer.
  if (await readNext(closure, reader, bounds)) return true;
  if (closure.toExpand.length === 0) return false;
  const wayOf = ({ stream, owner }: Expansion) => {
    const source = reader.find(stream);
    // Files that are read per ticket can belong to comments too, whose ids say nothing about tickets.
    if (source?.perParent === owner.stream) return `parent ${stream} ${owner.stream}`;
    return source?.readByParents ? `parents ${stream}` : "noted";
  };
  const ways = [...Map.groupBy(closure.toExpand, wayOf)];
  const taking = await allOf(
    ways.map(async ([way, some]): Promise<() => void> => {
      if (way === "noted")
        return () => {
          for (const expansion of some) expandNoted(work, closure, bounds, expansion);
        };
      return way.startsWith("parents ")
        ? expandByParents(closure, reader, bounds, some)
        : expandPerParent(closure, reader, bounds, some);
    }),
  );
  for (const take of taking) take();
  return true;
};
