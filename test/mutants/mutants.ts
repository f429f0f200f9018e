import type {
  Connector,
  DestinationStream,
  FamilyRecord,
  FileBody,
  Io,
  SourceStream,
  Write,
} from "@portage/connector-kit";
import { ConnectorError, helpdesk, offsetPager } from "@portage/connector-kit";
import { z } from "zod";
import type { StandInSettings } from "../tools/stand-in/connector.ts";

type Tool = Connector<StandInSettings>;
type Source = SourceStream<FamilyRecord, StandInSettings>;
type Destination = DestinationStream<FamilyRecord, StandInSettings>;

/** The good connector with one thing wrong. */
export type Mutate = (good: Tool) => Tool;

const sources =
  (mutate: (stream: Source) => Partial<Source>): Mutate =>
  (good) => ({
    ...good,
    source: { helpdesk: good.source?.helpdesk?.map((each) => ({ ...each, ...mutate(each) })) ?? [] },
  });

const destinations =
  (mutate: (stream: Destination) => Partial<Destination>): Mutate =>
  (good) => ({
    ...good,
    destination: {
      helpdesk: good.destination?.helpdesk?.map((each) => ({ ...each, ...mutate(each) })) ?? [],
    },
  });

/** Changes each record as it is written, without telling. */
const rewriting = (change: (record: FamilyRecord) => FamilyRecord): Mutate =>
  destinations(({ write }) => ({
    write: (io, batch) =>
      write(
        io,
        batch.map((each) => ({ ...each, record: change(each.record) })),
      ),
  }));

/** Sends each item of a write with other words to the tool. */
const sending = (change: (item: Record<string, unknown>) => Record<string, unknown>): Mutate =>
  destinations(({ write }) => ({
    write: (io, batch) =>
      write(
        {
          ...io,
          http: {
            ...io.http,
            send: (request) =>
              io.http.send(
                Array.isArray(request.json)
                  ? { ...request, json: request.json.map((each) => change(each as Record<string, unknown>)) }
                  : request,
              ),
          },
        },
        batch,
      ),
  }));

const without = (item: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));

const emoji = /[\u{10000}-\u{10ffff}]/gu;
const withoutEmoji = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(emoji, "?"));

const shorter = (file: FileBody): FileBody => ({
  ...file,
  size: file.size === null ? null : file.size - 1,
  async *open() {
    let left = (file.size ?? 1) - 1;
    for await (const chunk of await file.open()) {
      yield chunk.subarray(0, Math.max(0, left));
      left -= chunk.byteLength;
    }
  },
});

/** One wrong connector for each check, by the check's name. */
export const mutants: Readonly<Record<string, Mutate>> = {
  manifest: (good) => ({
    ...good,
    manifest: { ...good.manifest, settings: z.object({ instanceUrl: z.string(), token: z.string() }) },
  }),

  check: (good) => ({
    ...good,
    check: async (io) => ({ ...(await good.check(io)), accountId: "" }),
  }),

  unauthorized: sources(({ readPage }) => ({
    readPage: (io, at) =>
      readPage(io, at).catch((error: unknown) => {
        if (error instanceof ConnectorError && error.recovery === "reauthorize")
          return { records: [], next: null };
        throw error;
      }),
  })),

  "rate-limited": sources(({ readPage }) => ({
    readPage: (io, at) =>
      readPage(io, at).catch((error: unknown) => {
        if (error instanceof ConnectorError && error.status === 429)
          throw new ConnectorError({ recovery: "abort", code: "busy", message: "Busy." });
        throw error;
      }),
  })),

  secrets: (good) => ({
    ...good,
    check: (io) =>
      good.check(io).catch((error: ConnectorError) => {
        if (error.recovery === "reauthorize" || error.retryAfterMs) throw error;
        const { recovery, code } = error;
        throw new ConnectorError({ recovery, code, message: `Failed with the token ${io.settings.token}.` });
      }),
  }),

  hosts: (good) => ({
    ...good,
    check: async (io) => {
      // Nobody listens there: that it was tried is what counts.
      await fetch("http://127.0.0.1:64999/telemetry").catch(() => {});
      return good.check(io);
    },
  }),

  schema: sources(({ readPage, readByIds }) => {
    const odd = (record: FamilyRecord) => ({
      ...record,
      createdAt: record.createdAt?.replace("T", " ") ?? null,
    });
    return {
      readPage: async (io, at) => {
        const page = await readPage(io, at);
        return { ...page, records: page.records.map(odd) };
      },
      readByIds: async (io, ids) => (await readByIds(io, ids)).map(odd),
    };
  }),

  "unique-keys": sources(({ readPage }) => ({
    // Reads the anchor row again with each page and forgets to drop it.
    readPage: async (io, at) => {
      const page = await readPage(io, at);
      const last = page.records.at(-1);
      return last && page.records.length < 8 ? { ...page, records: [...page.records, last] } : page;
    },
    count: async () => ({ value: 0, exact: false }),
  })),

  "flat-cursors": sources(({ readPage }) => ({
    readPage: async (io, at) => {
      const page = await readPage(io, at);
      return { ...page, next: page.next && ({ ...page.next, at: new Date(0) } as never) };
    },
  })),

  resume: sources(({ readPage }) => {
    // Keeps its place in itself: right as long as nobody stops.
    let place: Awaited<ReturnType<typeof readPage>>["next"] = null;
    return {
      readPage: async (io, at) => {
        const page = await readPage(io, { ...at, cursor: at.cursor === null ? null : place });
        place = page.next;
        return page.next === null ? page : { ...page, next: { page: 1 } };
      },
    };
  }),

  relations: sources(({ stream, readPage, readByIds }) => {
    if (stream.name !== "comments") return {};
    const odd = (record: FamilyRecord) => ({ ...record, ticketId: `ticket-${record.id}` });
    return {
      readPage: async (io, at) => {
        const page = await readPage(io, at);
        return { ...page, records: page.records.map(odd) };
      },
      readByIds: async (io, ids) => (await readByIds(io, ids)).map(odd),
    };
  }),

  "by-ids": sources(({ readByIds }) => ({
    readByIds: async (io, ids) =>
      (await readByIds(io, ids)).map((record) => ({ ...record, tags: [], customFields: {} })),
  })),

  count: sources(({ count }) => ({
    count: async (io) => ({ value: ((await count?.(io))?.value ?? 0) - 1, exact: true }),
  })),

  delta: sources(({ readPage }) => ({ readPage: (io, at) => readPage(io, { ...at, since: null }) })),

  "files-read": sources(({ openFile }) =>
    openFile ? { openFile: async (io, record) => shorter(await openFile(io, record)) } : {},
  ),

  disturbed: sources(({ stream, readPage }) => {
    if (stream.name !== "tickets") return {};
    // Counts on offsets alone, without the anchor.
    type Row = FamilyRecord;
    const naive = offsetPager<Row, FamilyRecord, StandInSettings>({
      size: 8,
      sortedByKey: false,
      key: () => "same",
      toRecord: (row) => stream.make(row),
      fetch: async (io: Io<StandInSettings>, _at, { offset, size }) =>
        (await io.http.send({ url: `rows/${stream.name}`, query: { offset, size } })).json<{ rows: Row[] }>(),
    });
    return { readPage: (io, at) => (at.since ? readPage(io, at) : naive(io, at)) };
  }),

  "find-exact": destinations(({ find }) => ({
    // The tool ignores a filter that it doesn't know, and the rows are not looked at.
    find: async (io, asked) => {
      const found = await find(io, asked);
      return new Map([...found].map(([key, ids]) => [key, ids.length > 0 ? ids : ["1", "2"]]));
    },
  })),

  order: destinations(({ write }) => ({
    write: async (io, batch) => (await write(io, batch)).toReversed(),
  })),

  "read-back": rewriting((record) => ({ ...record, tags: [...record.tags, "imported"] })),

  hostile: rewriting((record) => withoutEmoji(record) as FamilyRecord),

  twice: destinations(({ write }) => ({
    write: async (io, batch) => {
      const fresh = batch.filter(({ id }) => id === null);
      const known = fresh.filter(({ key }) => writtenBefore.has(`${io.settings.token}/${key}`));
      for (const { key } of fresh) writtenBefore.add(`${io.settings.token}/${key}`);
      // A second writing gets another key in the tool, so that nothing is found to be changed.
      await write(
        io,
        known.map((each) => ({ ...each, key: `${each.key}-2` })),
      );
      return write(io, batch);
    },
    find: destinationFind,
  })),

  doubt: destinations(({ write }) => ({
    write: async (io, batch) => {
      const outcomes = await write({ ...io, http: onceOnly(io.http) }, batch).catch(() =>
        batch.map(() => ({ kind: "rejected" as const, code: "failed", message: "It failed." })),
      );
      return outcomes.map((each) =>
        each.kind === "unknown" ? { kind: "rejected" as const, code: "failed", message: "It failed." } : each,
      );
    },
  })),

  update: destinations(({ write }) => ({
    write: async (io, batch) => {
      const outcomes = await write(
        io,
        batch.map((each) => ({ ...each, id: null, key: keyFor(each) })),
      );
      return outcomes;
    },
  })),

  silent: sending((item) => without(item, "notify")),
  backdates: sending((item) => without(item, "keepDates")),
  "keeps-author": sending((item) => without(item, "keepAuthor")),

  "files-written": destinations(({ write }) => ({
    write: (io, batch) =>
      write(
        io,
        batch.map((each) => (each.file ? { ...each, file: shorter(each.file) } : each)),
      ),
  })),

  people: destinations(({ people }) =>
    people ? { people: async (io) => [...(await people(io)), ...(await people(io))] } : {},
  ),

  remove: destinations(({ remove, stream }) => ({
    // Takes the id's word for it.
    remove: async (io, what) => {
      const rows = await Promise.all(
        what.map(async ({ id }) =>
          (await io.http.send({ url: `written/${stream.name}`, query: { id } })).json<{ key: string }[]>(),
        ),
      );
      return (
        (await remove?.(
          io,
          what.map(({ id, key }, index) => ({ id, key: rows[index]?.[0]?.key ?? key })),
        )) ?? []
      );
    },
  })),
};

const writtenBefore = new Set<string>();

async function destinationFind(
  this: unknown,
  io: Io<StandInSettings>,
  asked: readonly { readonly key: string }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const { key } of asked) {
    const ids: string[] = [];
    for (const { name } of Object.values(helpdesk)) {
      const query = { key: [key, `${key}-2`] };
      const rows = (await io.http.send({ url: `written/${name}`, query })).json<{ id: string }[]>();
      ids.push(...rows.map(({ id }) => id));
    }
    found.set(key, ids);
  }
  return found;
}

const keyFor = ({ id, key }: Write<FamilyRecord>) => (id === null ? key : `${key}-2`);

/** No second attempt, whatever the request says of itself. */
const onceOnly = (http: Io["http"]): Io["http"] => ({
  ...http,
  send: (request) => http.send(request.method === "POST" ? { ...request, idempotent: false } : request),
});
