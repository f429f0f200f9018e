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
import type { SourceReader } from "./source-reader.ts";

const idsPerStep = 25;
const parentsPerStep = 4;
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

const readNext = async (closure: Closure, reader: SourceReader, bounds: SampleBounds): Promise<boolean> => {
  const [first] = closure.toRead.keys();
  if (first === undefined) return false;
  const { stream: name } = atKey(first);
  const asked = [...closure.toRead].filter(([key]) => atKey(key).stream === name).slice(0, idsPerStep);
  const stream = reader.layout.find(name);
  const ids = asked.map(([key]) => atKey(key).id);
  const found = stream ? await reader.byIds(name, ids) : [];
  const byId = new Map(found.map((record) => [record.id, record]));
  for (const [key, role] of asked) {
    const record = byId.get(atKey(key).id);
    closure.toRead.delete(key);
    if (record && stream) include(closure, reader, bounds, stream, record, role);
    // It is gone: the records that point to it do without, as in a full run.
    else closure.records.delete(key);
  }
  return true;
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

const expandPerParent = async (
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
  { stream: name, owner: { stream: parent } }: Expansion,
) => {
  // Files that are read per ticket can belong to comments too, whose ids say nothing about tickets.
  const now = closure.toExpand
    .filter(({ stream, owner }) => stream === name && owner.stream === parent)
    .slice(0, parentsPerStep);
  const pages = await Promise.all(
    now.map(({ owner, cursor }) => reader.page(name, { parentId: owner.id, cursor })),
  );
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

const expandByParents = async (
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
  name: string,
) => {
  const now = closure.toExpand.filter(({ stream }) => stream === name).slice(0, ownersPerStep);
  const stream = reader.layout.find(name);
  const records = await reader.byParents(
    name,
    now.map(({ owner }) => owner),
  );
  for (const expansion of now) {
    const key = candidateKey(expansion.owner);
    const own = records.filter(
      (record) => stream && ownersOf(stream, record).some((to) => candidateKey(to) === key),
    );
    if (!takeParts(closure, reader, bounds, expansion, own)) cutOff(closure, expansion);
  }
  closure.toExpand = closure.toExpand.filter((expansion) => !now.includes(expansion));
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

/** Reads a little more of what the chosen records need. False: the sample is closed. */
export const closeSample = async (
  work: ChooseWork,
  closure: Closure,
  reader: SourceReader,
  bounds: SampleBounds,
): Promise<boolean> => {
  // Needed records come before parts: if there is not space for both, a ticket keeps its customer.
  if (await readNext(closure, reader, bounds)) return true;
  const [expansion] = closure.toExpand;
  if (!expansion) return false;
  const source = reader.find(expansion.stream);
  if (source?.perParent === expansion.owner.stream) await expandPerParent(closure, reader, bounds, expansion);
  else if (source?.readByParents) await expandByParents(closure, reader, bounds, expansion.stream);
  else expandNoted(work, closure, bounds, expansion);
  return true;
};
