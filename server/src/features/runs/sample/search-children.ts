import { type FamilyRecord, type FamilyStream, ownersOf } from "@portage/connector-kit";
import type { SampleBounds } from "./bounds.ts";
import { candidateKey, withChild } from "./candidate.ts";
import type { ChooseWork, SearchPlace } from "./choose-work.ts";
import { chooseSample } from "./choose-sample.ts";
import type { StreamLayout } from "./layout.ts";
import { allOf, pagesAtOnce, type SourceReader } from "./source-reader.ts";

/** Every stream whose records may be parts of a chosen record, the nearest first. */
const partStreams = ({ roots, childrenOf }: StreamLayout): readonly FamilyStream[] => {
  const found = new Map<string, FamilyStream>();
  const waiting = [...roots];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    for (const part of childrenOf(name))
      if (!found.has(part.name)) {
        found.set(part.name, part);
        waiting.push(part.name);
      }
  return [...found.values()];
};

/** The streams that can't be listed by parent. */
export const searchPlaces = (reader: SourceReader): SearchPlace[] =>
  partStreams(reader.layout)
    .filter(({ name }) => {
      const source = reader.find(name);
      return source?.perParent === undefined && source?.readByParents === undefined;
    })
    .map(({ name }) => ({ stream: name, cursor: null, seen: 0, ended: false }));

/** The candidate that a record is part of: its owner, or what that owner was found to be part of. */
const candidatesOf = (
  work: ChooseWork,
  owner: string,
  part: ReadonlyMap<string, string>,
): string | undefined => (work.candidates.has(owner) ? owner : part.get(owner));

/** `stream/id` of noted parts, with their candidate. */
const notedParts = (work: ChooseWork): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [stream, owners] of work.noted)
    for (const [owner, ids] of owners) {
      const candidate = candidatesOf(work, owner, found);
      if (candidate !== undefined) for (const id of ids) found.set(candidateKey({ stream, id }), candidate);
    }
  return found;
};

const addTo = (work: ChooseWork, candidate: string, stream: FamilyStream, record: FamilyRecord) => {
  const known = work.candidates.get(candidate);
  if (known) work.candidates.set(candidate, withChild(known, stream, record));
};

const notePage = (
  work: ChooseWork,
  place: SearchPlace,
  stream: FamilyStream,
  { records, next }: Awaited<ReturnType<SourceReader["page"]>>,
  childrenPerParent: number,
) => {
  const parts = notedParts(work);
  const noted = work.noted.get(place.stream) ?? new Map<string, string[]>();
  work.noted.set(place.stream, noted);
  for (const record of records)
    for (const owner of ownersOf(stream, record).map(candidateKey)) {
      const candidate = candidatesOf(work, owner, parts);
      if (candidate === undefined) continue;
      const ids = noted.get(owner) ?? [];
      // One more than is taken, to show that there are more.
      if (ids.length <= childrenPerParent) noted.set(owner, [...ids, record.id]);
      addTo(work, candidate, stream, record);
    }
  // An empty page counts too: no search may go on forever.
  place.seen += Math.max(records.length, 50);
  place.cursor = next;
  place.ended = next === null;
};

/** Searches one more page of each stream for parts of the candidates. False: nothing more to search, or enough was. */
export const searchChildren = async (
  work: ChooseWork,
  reader: SourceReader,
  { searched, childrenPerParent }: SampleBounds,
): Promise<boolean> => {
  const open = work.searches.filter(({ ended, seen }) => !ended && seen < searched);
  // A file of a comment is recognised by its comment, so comments are searched first.
  const waits = ({ stream }: SearchPlace) =>
    open.some(
      (other) =>
        other.stream !== stream && reader.layout.childrenOf(other.stream).some(({ name }) => name === stream),
    );
  const now = open.some((place) => !waits(place)) ? open.filter((place) => !waits(place)) : open.slice(0, 1);
  const pages = await allOf(now.map(({ stream, cursor }) => reader.page(stream, { cursor })));
  for (const [index, place] of now.entries()) {
    const stream = reader.layout.find(place.stream);
    const page = pages[index];
    if (stream && page) notePage(work, place, stream, page, childrenPerParent);
  }
  return now.length > 0;
};

const ownersPerStep = 20;

/** Which candidates to read with parts: a choice by what is known so far, as large as the calls allow. */
const decidePeeks = (work: ChooseWork, reader: SourceReader, { peeked }: SampleBounds) => {
  const { main, childrenOf } = reader.layout;
  const { chosen } = chooseSample([...work.candidates.values()], { limit: peeked, main: main ?? "" });
  work.peeked = chosen.filter(({ stream }) => stream === main).length;
  work.peeks = [...Map.groupBy(chosen, ({ stream }) => stream)].flatMap(([owner, records]) =>
    childrenOf(owner).flatMap(({ name }) => {
      const source = reader.find(name);
      const asked = source?.perParent === owner || source?.readByParents !== undefined;
      return asked ? [{ stream: name, owners: records.map(({ stream, id }) => ({ stream, id })) }] : [];
    }),
  );
};

type Peek = NonNullable<ChooseWork["peeks"]>[number];

/** Reads the parts of a few owners of one stream; the result adds them to the candidates. */
const peek = async (work: ChooseWork, reader: SourceReader, of: Peek): Promise<() => void> => {
  const stream = reader.layout.find(of.stream);
  if (!stream) return () => of.owners.splice(0);
  if (reader.find(of.stream)?.perParent === undefined) {
    const owners = of.owners.slice(0, ownersPerStep);
    const asked = new Set(owners.map(candidateKey));
    const records = await reader.byParents(of.stream, owners);
    return () => {
      for (const record of records)
        for (const owner of ownersOf(stream, record).map(candidateKey))
          if (asked.has(owner)) addTo(work, owner, stream, record);
      of.owners.splice(0, owners.length);
    };
  }
  const owners = of.owners.slice(0, pagesAtOnce);
  const pages = await allOf(owners.map(({ id }) => reader.page(of.stream, { parentId: id })));
  return () => {
    for (const [index, { records }] of pages.entries())
      for (const record of records)
        addTo(work, candidateKey(owners[index] ?? { stream: "", id: "" }), stream, record);
    of.owners.splice(0, owners.length);
  };
};

/** Reads the parts of a few more candidates, of every stream of parts. False: enough were read. */
export const peekAtChildren = async (
  work: ChooseWork,
  reader: SourceReader,
  bounds: SampleBounds,
): Promise<boolean> => {
  if (work.peeks === null) decidePeeks(work, reader, bounds);
  const open = work.peeks ?? [];
  for (const add of await allOf(open.map((each) => peek(work, reader, each)))) add();
  work.peeks = open.filter(({ owners }) => owners.length > 0);
  return open.length > 0;
};
