import { ConnectorError, type FamilyRecord, type Io, offsetPager } from "@portage/connector-kit";
import { z } from "zod";
import type { StandInSettings } from "../tools/stand-in/connector.ts";
import { type Mutate, shorter, sources } from "./mutate.ts";

/** One broken connector for each check of the protocol and of reading, keyed by the check's name. */
export const sourceMutants: Readonly<Record<string, Mutate>> = {
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
      // The port has no listener: the attempt is what counts.
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

  "smaller-pages": sources(({ readPage }) => ({
    // Counts positions in pages of the usual size.
    readPage: async (io, at) => {
      const page = await readPage(io, { ...at, size: 100 });
      return at.size === undefined ? page : { ...page, records: page.records.slice(1) };
    },
  })),

  ids: sources(({ readIds }) => ({
    // The tool's list of ids leaves out what is archived.
    readIds: async (io, at) => {
      const page = (await readIds?.(io, at)) ?? { records: [], next: null };
      return page.records.length < 2 ? page : { ...page, records: page.records.slice(0, -1) };
    },
  })),

  "flat-cursors": sources(({ readPage }) => ({
    readPage: async (io, at) => {
      const page = await readPage(io, at);
      return { ...page, next: page.next && ({ ...page.next, at: new Date(0) } as never) };
    },
  })),

  resume: sources(({ readPage }) => {
    // Keeps its cursor in memory: correct only until a restart.
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

  "by-parents": sources(({ readByParents }) =>
    // The tool takes one parent at a time, and the connector drops the others.
    readByParents ? { readByParents: (io, parents) => readByParents(io, parents.slice(0, 1)) } : {},
  ),

  addresses: (good) => ({
    ...good,
    // Checks only the end of the path.
    recordAt: (_settings, url) => {
      const [, stream, id] = /\/show\/(\w+)\/(\d+)$/.exec(url) ?? [];
      return stream && id ? { stream, id } : null;
    },
  }),

  count: sources(({ count }) => ({
    count: async (io) => ({ value: ((await count?.(io))?.value ?? 0) - 1, exact: true }),
  })),

  "count-within": sources(({ countWithin }) => ({
    // Treats the end of the range as inclusive, or ignores it.
    countWithin: async (io, range) => (await countWithin?.(io, { ...range, createdBefore: null })) ?? null,
  })),

  delta: sources(({ readPage }) => ({ readPage: (io, at) => readPage(io, { ...at, since: null }) })),

  "files-read": sources(({ openFile }) =>
    openFile ? { openFile: async (io, record) => shorter(await openFile(io, record)) } : {},
  ),

  disturbed: sources(({ stream, readPage }) => {
    if (stream.name !== "tickets") return {};
    // Uses offsets alone, without the anchor.
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
};
