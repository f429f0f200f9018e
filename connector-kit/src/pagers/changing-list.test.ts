import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { ConnectorError } from "../errors.ts";
import type { HttpRequest, Io } from "../io.ts";
import type { At, Cursor } from "../page.ts";
import { expiringPager } from "./expiring-pager.ts";
import { connection, graphql, graphqlPager } from "./graphql-pager.ts";
import { keysetPager } from "./keyset-pager.ts";
import { newestFirstPager } from "./newest-first-pager.ts";
import { inPhases, type ReadPage } from "./pages.ts";
import { windowPager } from "./window-pager.ts";

interface Row {
  readonly id: number;
  readonly changed: number;
}

const io = {} as Io;
const iso = (second: number) => new Date(second * 1000).toISOString();
const byChange = (a: Row, b: Row) => a.changed - b.changed || a.id - b.id;

/** Reads a list to its end; `between` runs after each page. */
const readAll = async (
  read: ReadPage<number, unknown>,
  between: () => void = () => {},
  since: Date | null = null,
) => {
  const seen: number[] = [];
  let cursor: Cursor | null = null;
  for (let page = 0; ; page += 1) {
    if (page > 2_000) throw new Error("The list has no end.");
    const at: At = { cursor, since, parentId: null };
    const { records, next } = await read(io, at);
    seen.push(...records);
    if (next === null) return seen;
    // Cursors are stored between pages.
    cursor = JSON.parse(JSON.stringify(next)) as Cursor;
    between();
  }
};

/** A tool that lists by time of change, with a cap on its pages. */
const changingList = (rows: Row[], size: number, maxPages: number, byMoment: boolean) => {
  const sorted = () => rows.toSorted(byChange);
  return windowPager<Row, number, unknown>({
    size,
    maxPages,
    key: ({ id }) => id,
    toRecord: ({ id }) => id,
    changedAt: ({ changed }) => iso(changed),
    async fetch(_io, _at, { from, page }) {
      expect(page).toBeLessThanOrEqual(maxPages);
      const start = from === null ? 0 : Date.parse(from);
      const found = sorted().filter(({ changed }) => changed * 1000 >= start);
      return found.slice((page - 1) * size, page * size);
    },
    ...(byMoment && {
      fetchMoment: async (_io: Io, moment: string, { after }: { after: string | number | null }) =>
        rows
          .filter(({ id, changed }) => iso(changed) === moment && id > Number(after ?? 0))
          .toSorted((a, b) => a.id - b.id)
          .slice(0, size),
    }),
  });
};

const edits = fc.array(
  fc.record({ kind: fc.constantFrom("change", "remove", "add", "none"), which: fc.nat(200) }),
  { maxLength: 60 },
);

test.each([true, false])(
  "a window loses no row of a changing list (rows of one moment by key: %s)",
  async (byMoment) => {
    await fc.assert(
      fc.asyncProperty(
        // Few moments, so that pages end amid rows of one moment.
        fc.array(fc.nat(4), { maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        edits,
        async (moments, size, todo) => {
          const rows = moments.map((changed, index) => ({ id: index + 1, changed }));
          const removed = new Set<number>();
          let now = 5;
          const between = () => {
            const { kind, which } = todo.shift() ?? { kind: "none", which: 0 };
            const index = rows.length === 0 ? 0 : which % rows.length;
            const row = rows[index];
            now += which % 2;
            if (kind === "change" && row) rows[index] = { ...row, changed: now };
            if (kind === "add") rows.push({ id: 1_000 + now * 500 + which, changed: now });
            if (kind === "remove" && row) {
              removed.add(row.id);
              rows.splice(index, 1);
            }
          };
          const seen = new Set(await readAll(changingList(rows, size, 100, byMoment), between));
          const all = moments.map((_, index) => index + 1);
          expect(all.filter((id) => !removed.has(id) && !seen.has(id))).toEqual([]);
        },
      ),
    );
  },
);

test("a window reads more rows than the tool's pages hold, and only those of the time asked for", async () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, changed: Math.floor(index / 3) }));
  expect(new Set(await readAll(changingList(rows, 5, 2, false))).size).toBe(100);
  const late = await readAll(changingList(rows, 5, 2, false), undefined, new Date(30_000));
  expect(Math.min(...late)).toBe(91);
});

test("more rows of one moment than the tool lists are read by key, or reported instead of lost", async () => {
  const rows = Array.from({ length: 50 }, (_, index) => ({ id: index + 1, changed: index < 40 ? 7 : 8 }));
  expect(new Set(await readAll(changingList(rows, 5, 2, true))).size).toBe(50);
  await expect(readAll(changingList(rows, 5, 2, false))).rejects.toMatchObject({ code: "too_many_at_once" });
});

test("an expired token goes on after the last row, whenever it expires", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 30 }), fc.array(fc.boolean()), async (count, expires) => {
      const tokens = new Map<string, number>();
      const read = expiringPager<Row, number, unknown>({
        key: ({ id }) => id,
        toRecord: ({ id }) => id,
        anchor: ({ id }) => id,
        async fetch(_io, _at, { token, anchor }) {
          const start = token === null ? Math.max(0, Number(anchor ?? 1) - 1) : tokens.get(token);
          if (start === undefined)
            throw new ConnectorError({ recovery: "abort", code: "gone", message: "Expired.", status: 410 });
          const ids = Array.from({ length: count }, (_, index) => index + 1).slice(start, start + 4);
          const next = start + 4 < count ? String(start + 4) : null;
          if (next) tokens.set(next, start + 4);
          return { rows: ids.map((id) => ({ id, changed: 0 })), next };
        },
      });
      const seen = await readAll(read, () => {
        if (expires.shift()) tokens.clear();
      });
      expect(new Set(seen).size).toBe(count);
    }),
  );
});

/** A tool that lists the last changed first. Its tokens name the row that a page ended with. */
const newestFirst = (rows: Row[], size: number, isExpired: () => boolean = () => false) =>
  newestFirstPager<Row, number, unknown>({
    size,
    key: ({ id }) => id,
    toRecord: ({ id }) => id,
    changedAt: ({ changed }) => changed,
    async fetch(_io, { from, until, token, size: most }) {
      if (token !== null && isExpired())
        throw new ConnectorError({ recovery: "abort", code: "gone", message: "Expired.", status: 400 });
      const end = token === null ? null : (JSON.parse(token) as Row);
      const found = rows
        .toSorted((a, b) => byChange(b, a))
        .filter(({ changed }) => changed >= (from ?? 0) && changed <= (until ?? Number.MAX_SAFE_INTEGER))
        .filter((row) => end === null || byChange(row, end) < 0);
      const page = found.slice(0, most);
      return { rows: page, next: found.length > most ? JSON.stringify(page.at(-1)) : null };
    },
  });

test("newest first loses no row of a changing list, also where tokens expire", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      edits,
      fc.array(fc.boolean(), { maxLength: 20 }),
      async (moments, size, todo, expires) => {
        const rows = moments.map((changed, index) => ({ id: index + 1, changed }));
        let now = 5;
        const between = () => {
          const { kind, which } = todo.shift() ?? { kind: "none", which: 0 };
          const index = rows.length === 0 ? 0 : which % rows.length;
          const row = rows[index];
          now += 1;
          if (kind === "change" && row) rows[index] = { ...row, changed: now };
          if (kind === "add") rows.push({ id: 1_000 + now, changed: now });
          if (kind === "remove" && row) rows.splice(index, 1);
        };
        const seen = new Set(
          await readAll(
            newestFirst(rows, size, () => expires.shift() ?? false),
            between,
          ),
        );
        expect(rows.filter(({ id }) => !seen.has(id))).toEqual([]);
      },
    ),
  );
});

test("newest first reads each row once while nothing changes, and only those of the time asked for", async () => {
  for (const seconds of [1, 3, 40]) {
    const rows = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, changed: index % seconds }));
    expect((await readAll(newestFirst(rows, 7))).toSorted((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
    const late = await readAll(newestFirst(rows, 7), undefined, new Date((seconds - 1) * 1000));
    expect(late).toHaveLength(rows.filter(({ changed }) => changed >= seconds - 1).length);
  }
});

test("newest first finds a row that changed in the second of the newest one", async () => {
  const rows = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, changed: index }));
  let isFirst = true;
  const seen = await readAll(newestFirst(rows, 3), () => {
    if (isFirst) rows[0] = { id: 1, changed: 9 };
    isFirst = false;
  });
  expect(seen.toSorted((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
});

test("newest first ends, whatever the tool's order", async () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, changed: index }));
  const read = newestFirstPager<Row, number, unknown>({
    size: 3,
    key: ({ id }) => id,
    toRecord: ({ id }) => id,
    changedAt: ({ changed }) => changed,
    async fetch(_io, { from, token, size }) {
      const found = rows.filter(({ changed }) => changed >= (from ?? 0));
      const start = Number(token ?? 0);
      return {
        rows: found.slice(start, start + size),
        next: start + size < found.length ? String(start + size) : null,
      };
    },
  });
  expect(new Set(await readAll(read)).size).toBe(20);
});

test("any other error is no expired token", async () => {
  const down = new ConnectorError({ recovery: "retry", code: "server_error", message: "Down.", status: 503 });
  const read = expiringPager<Row, number, unknown>({
    key: ({ id }) => id,
    toRecord: ({ id }) => id,
    anchor: ({ id }) => id,
    fetch: async () => Promise.reject(down),
  });
  await expect(read(io, { cursor: { token: "t" }, since: null, parentId: null })).rejects.toBe(down);
});

test("phases follow one another, each with its own cursor", async () => {
  const list = (...ids: readonly number[]) =>
    keysetPager<number, number, unknown>({
      size: 2,
      key: (id) => id,
      toRecord: (id) => id,
      fetch: async (_io, _at, { after, size }) => ids.filter((id) => id > Number(after ?? 0)).slice(0, size),
    });
  expect(await readAll(inPhases([list(1, 2, 3), list(), list(1, 5)]))).toEqual([1, 2, 3, 1, 5]);
});

const answering = (...bodies: readonly unknown[]) => {
  const sent: HttpRequest[] = [];
  const send = async (request: HttpRequest) => {
    sent.push(request);
    const body = bodies[Math.min(sent.length, bodies.length) - 1];
    return { status: 200, headers: {}, url: "", text: "", json: (schema: z.ZodType) => schema.parse(body) };
  };
  return { sent, io: { http: { send } } as unknown as Io };
};

test("a GraphQL connection is read to its last page, as reads", async () => {
  const page = (ids: readonly number[], endCursor: string | null) => ({
    data: {
      issues: { nodes: ids.map((id) => ({ id })), pageInfo: { hasNextPage: endCursor !== null, endCursor } },
    },
  });
  const tool = answering(page([1, 2], "x"), page([3], null));
  const data = z.object({ issues: connection(z.object({ id: z.number() })) });
  const read = graphqlPager<{ id: number }, number, unknown>({
    size: 2,
    key: ({ id }) => id,
    toRecord: ({ id }) => id,
    fetch: async (_io, _at, variables) =>
      (await graphql(tool.io, { query: "query ($first: Int!) { issues }", variables }, data)).issues,
  });
  expect(await readAll(read)).toEqual([1, 2, 3]);
  expect(tool.sent.map(({ reads }) => reads)).toEqual([true, true]);
  expect(tool.sent[1]?.json).toMatchObject({ variables: { first: 2, after: "x" } });
});

test.each([
  ["RATELIMITED", "retry"],
  ["AUTHENTICATION_ERROR", "reauthorize"],
  ["FORBIDDEN", "skip-record"],
  ["NOT_FOUND", "skip-record"],
  ["SOMETHING_ELSE", "abort"],
])("errors in a 200 are errors: %s", async (code, recovery) => {
  const { io: tool } = answering({ data: null, errors: [{ message: "Ana's secret", extensions: { code } }] });
  const failed = graphql(tool, { query: "{ me }" }, z.unknown());
  await expect(failed).rejects.toMatchObject({ name: "ConnectorError", recovery });
  await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining("secret") });
});
