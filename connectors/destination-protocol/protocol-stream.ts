import type {
  DestinationStream,
  FamilyRecord,
  FamilyStream,
  Io,
  Person,
  Removed,
} from "@portage/connector-kit";
import type { Described, DescribedStream } from "@portage/contract/destination-protocol";
import { ask, inOrder } from "./ask.ts";
import { chunksOf, defaultLimits, type Limits } from "./chunks.ts";
import { customFieldOf } from "./custom-field.ts";
import { fieldSetup } from "./field-setup.ts";
import type { Settings } from "./settings.ts";
import { openFile } from "./upload.ts";
import { writeBatch } from "./write-batch.ts";

/** The destination's description of a stream, and its limits. */
export interface Offered {
  readonly limits: Limits;
  readonly described: DescribedStream;
}

export const describeDestination = (io: Io<Settings>): Promise<Described> => ask(io, "describe", {});

export const describedStreamOf = (
  { families }: Described,
  { family, name }: FamilyStream,
): DescribedStream | undefined =>
  families.find((each) => each.family === family)?.streams.find((each) => each.name === name);

/** Reads every page, and stops at a cursor that repeats. */
const allPeople = async (io: Io<Settings>): Promise<readonly Person[]> => {
  const people: Person[] = [];
  const seen = new Set<string>();
  for (let after: string | null = null; ; ) {
    const page: Described = await ask(io, "describe", { peopleAfter: after });
    people.push(...page.people);
    after = page.peopleNext;
    if (after === null || seen.has(after)) return people;
    seen.add(after);
  }
};

const filledIn = (template: string, id: string, parentId = "") =>
  template.replaceAll("{id}", encodeURIComponent(id)).replaceAll("{parentId}", encodeURIComponent(parentId));

/** A stream over the protocol; without `offered` only with the features that every implementation has. */
export const protocolStream = (
  stream: FamilyStream,
  offered: Offered | null,
): DestinationStream<FamilyRecord, Settings> => {
  const limits = offered?.limits ?? defaultLimits;
  const {
    duties = [],
    drops = [],
    addedFields = [],
    removes = true,
    opens = false,
    createsFields = [],
    url,
  } = offered?.described ?? {};
  const target = { family: stream.family, stream: stream.name };
  return {
    stream,
    batchSize: limits.batchItems,
    idempotency: "upsert",
    guarantees: duties,
    drops,
    addedFields,
    async find(io, asked) {
      const found = new Map<string, readonly string[]>();
      const wanted = new Set(asked.map(({ key }) => key));
      for (const keys of chunksOf([...wanted], limits)) {
        const answer = await ask(io, "find", { ...target, keys });
        for (const { key, ids } of answer.found)
          if (wanted.has(key)) found.set(key, [...new Set([...(found.get(key) ?? []), ...ids])]);
      }
      return found;
    },
    write: (io, batch) => writeBatch(io, stream, limits, batch),
    async read(io, ids) {
      const all: (FamilyRecord | null)[] = [];
      for (const chunk of chunksOf(ids, limits)) {
        const { records } = await ask(io, "read", { ...target, ids: chunk });
        const fits = records.every((record, index) => record === null || record.id === chunk[index]);
        for (const record of inOrder(chunk.length, records, fits))
          all.push(record === null ? null : stream.make(record));
      }
      return all;
    },
    ...(removes && {
      async remove(io: Io<Settings>, what: readonly { readonly id: string; readonly key: string }[]) {
        const all: Removed[] = [];
        for (const items of chunksOf(what, limits)) {
          const { results } = await ask(io, "remove", {
            ...target,
            items: items.map(({ id, key }) => ({ id, key })),
          });
          const fits = results.every(({ id }, index) => id === items[index]?.id);
          all.push(...inOrder(items.length, results, fits));
        }
        return all;
      },
    }),
    ...(opens && { openFile: (io: Io<Settings>, id: string) => openFile(io, stream, id) }),
    ...(stream.kind === "people" && { people: allPeople }),
    async customFields(io) {
      const described = describedStreamOf(await describeDestination(io), stream);
      return (described?.customFields ?? []).map(customFieldOf);
    },
    ...(createsFields.length > 0 && { fieldSetup: fieldSetup(stream, createsFields) }),
    async options(io) {
      return describedStreamOf(await describeDestination(io), stream)?.options ?? {};
    },
    ...(url && {
      urlTemplate: url,
      urlOf: (_: Settings, { id, parentId }: { id: string; parentId?: string }) =>
        filledIn(url, id, parentId),
    }),
  };
};
