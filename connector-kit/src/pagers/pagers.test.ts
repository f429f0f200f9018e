import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ConnectorError } from "../errors.ts";
import type { HttpRequest, Io } from "../io.ts";
import type { At, Cursor, Page } from "../page.ts";
import { keysetPager, keysetSlice } from "./keyset-pager.ts";
import { linkPager, nextLink } from "./link-pager.ts";
import { offsetPager } from "./offset-pager.ts";
import { pagePager } from "./page-pager.ts";
import { tokenPager } from "./token-pager.ts";

interface Row {
  readonly id: number;
}

const io = {} as Io<unknown>;
const size = 5;
const rows = { key: ({ id }: Row) => id, toRecord: ({ id }: Row) => id };

/** A table that can change between any two reads. */
const table = (count: number) => {
  const state = { rows: Array.from({ length: count }, (_, index): Row => ({ id: index + 1 })) };
  const slice = (offset: number, length: number) => state.rows.slice(offset, offset + length);
  return { state, slice };
};

type Read = (io: Io<unknown>, at: At) => Promise<Page<number>>;

const pagers: Record<string, (of: ReturnType<typeof table>) => Read> = {
  "offset, sorted": ({ slice }) =>
    offsetPager({
      ...rows,
      size,
      sortedByKey: true,
      fetch: async (_io, _at, { offset, size: length }) => ({ rows: slice(offset, length) }),
    }),
  "offset, sorted, with totals": ({ state, slice }) =>
    offsetPager({
      ...rows,
      size,
      sortedByKey: true,
      fetch: async (_io, _at, { offset, size: length }) => ({
        rows: slice(offset, length),
        total: state.rows.length,
      }),
    }),
  "offset, unsorted": ({ slice }) =>
    offsetPager({
      ...rows,
      size,
      sortedByKey: false,
      fetch: async (_io, _at, { offset, size: length }) => ({ rows: slice(offset, length) }),
    }),
  "offset, capped by the tool": ({ slice }) =>
    offsetPager({
      ...rows,
      size,
      sortedByKey: true,
      fetch: async (_io, _at, { offset }) => ({ rows: slice(offset, 3) }),
    }),
  "page, sorted": ({ slice }) =>
    pagePager({
      ...rows,
      size,
      sortedByKey: true,
      fetch: async (_io, _at, { page, size: length }) => ({ rows: slice((page - 1) * length, length) }),
    }),
  keyset: ({ state }) =>
    keysetPager({
      ...rows,
      size,
      fetch: async (_io, _at, { after, size: length }) =>
        state.rows.filter(({ id }) => id > Number(after ?? 0)).slice(0, length),
    }),
};

const readAll = async (
  read: Read,
  between: (page: number) => void = () => {},
  start: Cursor | null = null,
) => {
  const records: number[] = [];
  const cursors: (Cursor | null)[] = [start];
  let cursor = start;
  for (let page = 0; page < 500; page += 1) {
    const answer = await read(io, { cursor, since: null, parentId: null });
    records.push(...answer.records);
    if (answer.next === null) return { records, cursors };
    cursor = JSON.parse(JSON.stringify(answer.next)) as Cursor;
    cursors.push(cursor);
    between(page);
  }
  throw new Error("It does not end.");
};

describe.each(Object.entries(pagers))("%s", (_, make) => {
  test("reads every row once while nothing changes", async () => {
    for (const count of [0, 1, 4, 5, 6, 10, 23]) {
      const of = table(count);
      expect((await readAll(make(of))).records).toEqual(of.state.rows.map(({ id }) => id));
    }
  });

  test("reads every row once in pages of changing sizes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (sizes) => {
        const read = make(table(23));
        let page = 0;
        const { records } = await readAll((each, at) => {
          page += 1;
          return read(each, { ...at, size: sizes[page % sizes.length] ?? 1 });
        });
        expect(records).toEqual(table(23).state.rows.map(({ id }) => id));
      }),
      { numRuns: 100 },
    );
  });

  test("resuming from any cursor returns the rest", async () => {
    const read = make(table(23));
    const whole = await readAll(read);
    for (const cursor of whole.cursors) {
      const { records } = await readAll(read, () => {}, cursor);
      expect(records).toEqual(whole.records.slice(whole.records.length - records.length));
    }
  });

  test("concurrent deletions lose no other rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ page: fc.nat(8), index: fc.nat(30) }), { maxLength: 12 }),
        async (deletions) => {
          const of = table(31);
          const { records } = await readAll(make(of), (page) => {
            const gone = new Set(deletions.filter((each) => each.page === page).map(({ index }) => index));
            of.state.rows = of.state.rows.filter((_row, index) => !gone.has(index));
          });
          const seen = new Set(records);
          for (const { id } of of.state.rows) expect(seen).toContain(id);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test("a slice ends where the next begins", async () => {
  const read = pagers.keyset?.(table(23)) as Read;
  const parts = await Promise.all(
    [keysetSlice(null, 7), keysetSlice(7, 10), keysetSlice(10, null)].map((cursor) =>
      readAll(read, () => {}, cursor),
    ),
  );
  expect(parts.map(({ records }) => records.length)).toEqual([7, 3, 13]);
  expect(parts.flatMap(({ records }) => records)).toEqual(table(23).state.rows.map(({ id }) => id));
});

test("one unreadable row does not stop its page, any other error does", async () => {
  const failing = (error: Error) =>
    tokenPager<Row, number, unknown>({
      key: ({ id }) => id,
      toRecord: ({ id }) => {
        if (id === 2) throw error;
        return id;
      },
      fetch: async () => ({ rows: [{ id: 1 }, { id: 2 }, { id: 3 }], next: null }),
    })(io, { cursor: null, since: null, parentId: null });
  const odd = new ConnectorError({ recovery: "skip-record", code: "odd", message: "Odd." });
  expect(await failing(odd)).toEqual({
    records: [1, 3],
    next: null,
    unreadable: [{ id: "2", code: "odd", message: "Odd." }],
  });
  await expect(failing(new Error("bug"))).rejects.toThrow("bug");
});

test.each([
  ['<https://a/2>; rel="next", <https://a/9>; rel="last"', "https://a/2"],
  ['<https://a/1>; rel="prev", </2?x=1,2>; rel="next"', "/2?x=1,2"],
  ['<https://a/2>; title="a"; rel=next', "https://a/2"],
  ['<https://a/2>; rel="last next"', "https://a/2"],
  ['<https://a/9>; rel="last"', null],
  ["", null],
])("Link: %s", (link, expected) => {
  expect(nextLink({ link })).toBe(expected);
});

test("a quota counts all pages of a list by links as its first one", async () => {
  const sent: HttpRequest[] = [];
  const http = {
    send: async (request: HttpRequest) => {
      sent.push(request);
      const link = sent.length === 1 ? '<https://acme.example/rows?page=2>; rel="next"' : "";
      return { headers: { link }, url: "https://acme.example/rows" };
    },
  };
  const read = linkPager<Row, number, unknown>({
    ...rows,
    first: () => ({ url: "rows", query: { size: 1 }, class: "list", cost: 2 }),
    rows: () => [{ id: 1 }],
  });
  const own = { ...io, http } as unknown as Io;
  const { next } = await read(own, { cursor: null, since: null, parentId: null });
  await read(own, { cursor: next, since: null, parentId: null });
  expect(sent).toEqual([
    { url: "rows", query: { size: 1 }, class: "list", cost: 2 },
    { url: "https://acme.example/rows?page=2", class: "list", cost: 2 },
  ]);
});
