import type { FamilyRecord } from "@portage/connector-kit";
import { candidateOf, candidateKey } from "./candidate.ts";
import type { ChooseWork, RootPlace } from "./choose-work.ts";
import type { StreamLayout } from "./layout.ts";
import { allOf, pagesAtOnce, type SourceReader } from "./source-reader.ts";

/** The main stream's share of all candidates; the others share the rest. */
const mainShare = 0.6;
const partsOfStream = 8;
const parentsLookedInto = 12;
const maxHops = 3;
const maxPages = 40;

export const rootPlaces = ({ main, roots }: StreamLayout, candidates: number): RootPlace[] => {
  const others = Math.max(1, roots.length - 1);
  const quotaOf = (stream: string) => {
    if (roots.length === 1) return candidates;
    return Math.ceil(stream === main ? candidates * mainShare : (candidates * (1 - mainShare)) / others);
  };
  return roots.map((stream) => ({
    stream,
    quota: quotaOf(stream),
    stage: "head",
    taken: 0,
    cursor: null,
    parts: [],
    parents: [],
    latest: null,
    hops: 0,
    pages: 0,
    all: true,
  }));
};

/** At most `most` of them, from the first to the last at even distances. */
export const spread = <X>(all: readonly X[], most: number): readonly X[] =>
  all.length <= most
    ? all
    : Array.from(
        { length: Math.max(0, most) },
        (_, index) => all[Math.floor((index * all.length) / most)],
      ).filter((each) => each !== undefined);

const latestOf = (records: readonly FamilyRecord[], before: string | null): string | null =>
  records.reduce<string | null>(
    (latest, { updatedAt }) => (updatedAt !== null && updatedAt > (latest ?? "") ? updatedAt : latest),
    before,
  );

/** Keeps what they would show; records seen already are not counted again. */
const take = (
  work: ChooseWork,
  place: RootPlace,
  reader: SourceReader,
  records: readonly FamilyRecord[],
  most: number,
) => {
  const stream = reader.layout.find(place.stream);
  if (!stream) return;
  const fresh = records.filter(({ id }) => !work.candidates.has(candidateKey({ stream: place.stream, id })));
  for (const record of spread(fresh, most)) {
    work.candidates.set(candidateKey({ stream: place.stream, id: record.id }), candidateOf(stream, record));
    place.taken += 1;
  }
  place.latest = latestOf(records, place.latest);
};

const readParents = async (place: RootPlace, reader: SourceReader, perParent: string) => {
  const { records } = await reader.page(perParent, {});
  place.parents = [
    ...spread(
      records.map(({ id }) => id),
      parentsLookedInto,
    ),
  ];
  place.stage = place.parents.length > 0 ? "parents" : "done";
};

const readOfParents = async (work: ChooseWork, place: RootPlace, reader: SourceReader) => {
  const now = place.parents.slice(0, pagesAtOnce);
  const pages = await allOf(now.map((parentId) => reader.page(place.stream, { parentId })));
  const most = Math.ceil(place.quota / parentsLookedInto);
  place.all = false;
  for (const { records } of pages) take(work, place, reader, records, most);
  place.parents.splice(0, now.length);
  if (place.parents.length === 0) place.stage = "done";
};

/** Where else than at its beginning the stream can be read. */
const goElsewhere = async (place: RootPlace, reader: SourceReader) => {
  const source = reader.find(place.stream);
  if (source?.slices) {
    place.parts = (await reader.slices(place.stream, partsOfStream)).slice(1);
    if (place.parts.length > 0) place.stage = "parts";
    else goBack(place);
  } else if (source?.delta && place.latest !== null) place.stage = "recent";
  else goBack(place);
};

const isEnough = ({ taken, quota, pages }: RootPlace) => taken >= quota || pages >= maxPages;

/** Continues from the beginning's position, if more is wanted. */
const goBack = (place: RootPlace) => {
  place.stage = isEnough(place) ? "done" : "rest";
};

const readHead = async (work: ChooseWork, place: RootPlace, reader: SourceReader) => {
  const source = reader.find(place.stream);
  const jumps = source?.slices !== undefined || source?.delta === true;
  const wanted = jumps ? Math.ceil(place.quota / 2) : place.quota;
  const { records, next } = await reader.page(place.stream, { cursor: place.cursor });
  // If a page is larger than all that is wanted, leave something for the other positions.
  const most = next === null || records.length <= place.quota ? place.quota : wanted;
  place.all &&= records.length <= most - place.taken;
  take(work, place, reader, records, most - place.taken);
  place.pages += 1;
  place.cursor = next;
  if (next === null) place.stage = "done";
  else if (place.stage === "rest") place.stage = isEnough(place) ? "done" : "rest";
  else if (place.taken >= wanted || place.pages >= maxPages) await goElsewhere(place, reader);
};

const readParts = async (work: ChooseWork, place: RootPlace, reader: SourceReader) => {
  const pages = await allOf(place.parts.map((cursor) => reader.page(place.stream, { cursor })));
  for (const [index, { records }] of pages.entries()) {
    const room = Math.ceil((place.quota - place.taken) / (pages.length - index));
    take(work, place, reader, records, room);
  }
  place.parts = [];
  goBack(place);
};

/**
 * A stream that can only be read from its beginning, but with a change filter: records changed after all seen ones lie
 * further on. The filter's time moves towards now with each step, without any clock.
 */
const readRecent = async (work: ChooseWork, place: RootPlace, reader: SourceReader) => {
  const before = place.latest ?? "";
  const room = Math.ceil((place.quota - place.taken) / Math.max(1, maxHops - place.hops));
  const { records } = await reader.page(place.stream, { since: new Date(before) });
  take(work, place, reader, records, room);
  place.hops += 1;
  const moved = place.latest !== null && place.latest > before;
  if (!moved || place.hops >= maxHops || place.taken >= place.quota) goBack(place);
};

const readMore = async (work: ChooseWork, place: RootPlace, reader: SourceReader) => {
  const perParent = reader.find(place.stream)?.perParent;
  if (place.stage === "parents") await readOfParents(work, place, reader);
  else if (place.stage === "parts") await readParts(work, place, reader);
  else if (place.stage === "recent") await readRecent(work, place, reader);
  else if (perParent === undefined) await readHead(work, place, reader);
  else await readParents(place, reader, perParent);
};

/** Reads one more page of candidates of every stream. False: there are enough. */
export const readCandidates = async (work: ChooseWork, reader: SourceReader): Promise<boolean> => {
  const open = work.roots.filter(({ stage }) => stage !== "done");
  await allOf(open.map((place) => readMore(work, place, reader)));
  return open.length > 0;
};
