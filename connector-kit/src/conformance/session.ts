import { randomInt } from "node:crypto";
import { leaveOutUnheld } from "../added-fields.ts";
import type { DestinationStream, Outcome, Write } from "../destination.ts";
import { resolveReferences } from "../families/references.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Transport } from "../http/transport.ts";
import type { FileBody, Io } from "../io.ts";
import type { At, Cursor, Page } from "../page.ts";
import type { SourceStream } from "../source.ts";
import { createTestIo } from "../test-io.ts";
import { assert } from "./assert.ts";
import { createRandom, shuffled } from "./random.ts";
import type { Subject } from "./subject.ts";
import { findOne, writeSettled } from "./settled-write.ts";
import { sampleRecords } from "./sample-records.ts";

export interface FullRead<X = FamilyRecord> {
  readonly records: readonly X[];
  /** Ids of records that the connector could not read. */
  readonly unreadable: readonly string[];
  /** The cursor of each page, and the number of records before it. */
  readonly places: readonly { readonly cursor: Cursor | null; readonly before: number }[];
}

export interface Entry {
  readonly write: Write<FamilyRecord>;
  readonly outcome: Outcome<FamilyRecord> | undefined;
}

export interface Session {
  readonly subject: Subject;
  readonly seed: number;
  readonly sources: readonly SourceStream[];
  readonly destinations: readonly DestinationStream[];
  /** A new `Io` for each use, as in a step of the engine. */
  io(transport?: Transport, limits?: { readonly attempts?: number; readonly answerMs?: number }): Io;
  read(stream: SourceStream, since?: Date | null, start?: Cursor | null): Promise<FullRead>;
  /** All ids of a stream, as `readIds` returns them; null: it has none. */
  readIds(stream: SourceStream): Promise<FullRead<string> | null>;
  /** Reads a stream once and caches it for all checks. */
  readOnce(stream: SourceStream): Promise<FullRead>;
  /** Writes records to every stream, once for all checks of that kind. */
  written(kind: "plain" | "hostile"): Promise<ReadonlyMap<DestinationStream, readonly Entry[]>>;
  /** The number of mails before the first write; null: the subject does not count mails. */
  mailsBefore(): number | null;
  /** Writes as the engine does and settles unknown outcomes. */
  write(
    stream: DestinationStream,
    batch: readonly Write<FamilyRecord>[],
  ): Promise<readonly (Outcome<FamilyRecord> | undefined)[]>;
  /** Another plain record for a stream, with references to written records; null if the stream can have none. */
  newWrite(stream: DestinationStream): Promise<Write<FamilyRecord> | null>;
  /** The subject's share of some trials: each as likely as the others, in their order. */
  some<T>(trials: readonly T[]): readonly T[];
  /** How many records with this write's key the tool has, by its own tables if the subject shows them, else by `find`. */
  copies(stream: DestinationStream, write: Write<FamilyRecord>): Promise<number>;
}

const maxPages = 10_000;

export const contentOf = (name: string): FileBody => {
  const bytes = Buffer.from(`The bytes of ${name}: \u0000\u00ff\r\n`.repeat(200), "latin1");
  return {
    name: `${name}.bin`,
    contentType: "application/octet-stream",
    size: bytes.length,
    async *open() {
      yield bytes.subarray(0, 1000);
      yield bytes.subarray(1000);
    },
  };
};

/** The shared state of the checks of one run. */
export const createSession = (subject: Subject): Session => {
  const { connector, family, settings, transport, tokens, retry, answerMs } = subject;
  const run = Date.now().toString(36);
  const seed = subject.seed ?? randomInt(1_000_000);
  const random = createRandom(`${seed}`);
  const some: Session["some"] = (trials) => {
    const { share = 1 } = subject;
    if (share >= 1) return trials;
    const wanted = Math.max(1, Math.round(trials.length * share));
    const chosen = new Set(shuffled(trials.keys().toArray(), random).slice(0, wanted));
    return trials.filter((_, index) => chosen.has(index));
  };
  const sources = connector.source?.[family] ?? [];
  const destinations = connector.destination?.[family] ?? [];

  const io: Session["io"] = (through = transport, limits = {}) => {
    const { attempts, answerMs: most = answerMs } = limits;
    return createTestIo({
      manifest: connector.manifest,
      settings,
      transport: through,
      ...(tokens ? { tokens } : {}),
      ...(most ? { answerMs: most } : {}),
      retry: { ...retry, ...(attempts ? { attempts } : {}) },
    });
  };

  const readOnes = new Map<SourceStream, Promise<FullRead>>();
  const readOnce = (stream: SourceStream) => {
    const known = readOnes.get(stream) ?? read(stream);
    readOnes.set(stream, known);
    return known;
  };

  const parentsOf = async (stream: SourceStream): Promise<readonly (string | null)[]> => {
    if (!stream.perParent) return [null];
    const parent = sources.find((each) => each.stream.name === stream.perParent);
    assert(parent, `${stream.stream.name} is read per ${stream.perParent}, which the source lacks.`);
    return (await readOnce(parent)).records.map(({ id }) => id);
  };

  const readAll = async <X>(
    stream: SourceStream,
    fetch: (io: Io, at: At) => Promise<Page<X>>,
    { since, start }: { readonly since: Date | null; readonly start: Cursor | null },
  ): Promise<FullRead<X>> => {
    const records: X[] = [];
    const unreadable: string[] = [];
    const places: { cursor: Cursor | null; before: number }[] = [];
    const size = subject.pageSize === undefined ? {} : { size: subject.pageSize };
    // As the engine does: one step for a page, or for the records of several parents.
    const shared = stream.perParent ? io() : null;
    for (const parentId of await parentsOf(stream)) {
      let cursor = start;
      for (let pages = 0; ; pages += 1) {
        assert(pages < maxPages, `${stream.stream.name} does not end after ${maxPages} pages.`);
        places.push({ cursor, before: records.length });
        const page = await fetch(shared ?? io(), { cursor, since, parentId, ...size });
        records.push(...page.records);
        unreadable.push(...(page.unreadable ?? []).map(({ id }) => id));
        if (page.next === null) break;
        cursor = page.next;
      }
    }
    return { records, unreadable, places };
  };
  const read: Session["read"] = (stream, since = null, start = null) =>
    readAll(stream, stream.readPage.bind(stream), { since, start });
  const readIds: Session["readIds"] = async (stream) =>
    stream.readIds ? readAll(stream, stream.readIds.bind(stream), { since: null, start: null }) : null;

  const plainCount = subject.records ?? 6;
  const countOf = { plain: plainCount, hostile: 22 };
  const counts = Object.fromEntries(destinations.map(({ stream }) => [stream.name, plainCount]));
  const ids = new Map<string, string>();
  /** The ids of the plain records that not everyone may see, as `stream/id`. */
  const internal = new Set<string>();
  const isOfInternal = ({ record }: Write<FamilyRecord>): boolean => {
    const { parent } = record as { parent?: { stream: string; id: string } };
    return parent !== undefined && internal.has(`${parent.stream}/${parent.id}`);
  };
  /** The streams that left such a record's file out. */
  const careful = new Set<DestinationStream>();
  const nextIndex = new Map<DestinationStream, number>();

  /** Creates no records for a parent stream that the destination does not support. */
  const countsFor = ({ stream, parents }: DestinationStream): Readonly<Record<string, number>> => {
    const to = stream.parent === null ? [] : (stream.relations[stream.parent]?.to ?? []);
    const refused = to.filter((name) => parents && !parents.includes(name));
    return { ...counts, ...Object.fromEntries(refused.map((name) => [name, 0])) };
  };

  const samples = new Map<string, ReturnType<typeof sampleRecords>>();
  const samplesOf = (stream: DestinationStream, kind: "plain" | "hostile") => {
    const name = `${kind} ${stream.stream.name}`;
    const known =
      samples.get(name) ??
      sampleRecords(stream.stream, {
        seed: kind,
        counts: countsFor(stream),
        hostile: kind === "hostile",
        largeText: kind === "hostile" ? (subject.largeText ?? 1_000_000) : 0,
      });
    samples.set(name, known);
    return known;
  };

  const makeWrite = (stream: DestinationStream, kind: "plain" | "hostile", index: number) => {
    const { at } = samplesOf(stream, kind);
    const record = at(index);
    if (!record) return null;
    const resolved = resolveReferences(
      stream.stream,
      leaveOutUnheld(stream, record).record,
      (to) => ids.get(`${to.stream}/${to.id}`) ?? null,
    );
    if (resolved.kind === "missing") return null;
    const key = `c-${run}-${kind}-${stream.stream.name}-${index}`.toLowerCase();
    // A tool that holds links gets some.
    const isLink = "url" in resolved.record && stream.stream.addedFields.includes("url") && index % 3 === 2;
    if (isLink)
      return { key, record: { ...resolved.record, url: `https://files.example.com/${key}` }, id: null };
    const file = stream.stream.kind === "file" ? { file: contentOf(key) } : {};
    return { key, record: resolved.record, id: null, ...file };
  };

  const { lateWriteMs, findLagMs } = connector.manifest.grace;
  const write: Session["write"] = (stream, batch) =>
    writeSettled({ io, graceMs: lateWriteMs + findLagMs }, stream, batch);

  const meetPeople = async () => {
    for (const stream of destinations.filter(({ people }) => people)) {
      const people = (await stream.people?.(io())) ?? [];
      for (let index = 0; index < plainCount; index += 1) {
        const person = people[index % people.length];
        if (person) ids.set(`${stream.stream.name}/${index + 1}`, person.id);
      }
    }
  };

  let mailsBefore: number | null = null;
  const writeAll = async (kind: "plain" | "hostile") => {
    if (kind === "hostile") await written("plain");
    else {
      mailsBefore = (await subject.mails?.()) ?? null;
      await meetPeople();
    }
    const entries = new Map<DestinationStream, Entry[]>();
    for (const stream of destinations.filter(({ people }) => !people)) {
      const done: Entry[] = [];
      const all = Array.from({ length: countOf[kind] }, (_, index) => index);
      const indexes = kind === "hostile" ? some(all) : all;
      for (let start = 0; start < indexes.length; start += stream.batchSize) {
        const batch = indexes
          .slice(start, start + stream.batchSize)
          .map((index) => makeWrite(stream, kind, index))
          .filter((each) => each !== null);
        if (batch.length === 0) continue;
        const outcomes = await write(stream, batch);
        batch.forEach((one, index) => {
          const outcome = outcomes[index];
          // A tool that would show it to more people than its parent is right to leave it out.
          const staysOut = outcome?.kind === "rejected" && outcome.code === "not_private";
          if (staysOut && isOfInternal(one)) return void careful.add(stream);
          done.push({ write: one, outcome });
          if (kind !== "plain" || !outcome || !("id" in outcome)) return;
          ids.set(`${stream.stream.name}/${one.record.id}`, outcome.id);
          if ("visibility" in one.record && one.record.visibility === "internal")
            internal.add(`${stream.stream.name}/${outcome.id}`);
        });
      }
      entries.set(stream, done);
    }
    return entries;
  };
  const writes = new Map<string, ReturnType<typeof writeAll>>();
  const written: Session["written"] = (kind) => {
    const known = writes.get(kind) ?? writeAll(kind);
    writes.set(kind, known);
    return known;
  };

  return {
    subject,
    seed,
    some,
    sources,
    destinations,
    io,
    read,
    readIds,
    readOnce,
    written,
    mailsBefore: () => mailsBefore,
    write,
    async copies(stream, one) {
      if (subject.copies) return subject.copies(stream.stream.name, one.key);
      return (await findOne(io(), stream, one)).length;
    },
    async newWrite(stream) {
      await written("plain");
      const start = nextIndex.get(stream) ?? plainCount;
      // Some records lack a parent, or are right to stay out: take the next one.
      for (let index = start; index < start + 50; index += 1) {
        const made = makeWrite(stream, "plain", index);
        if (!made || (careful.has(stream) && isOfInternal(made))) continue;
        nextIndex.set(stream, index + 1);
        return made;
      }
      return null;
    },
  };
};
