import { expect, test } from "vitest";
import { helpdesk } from "../families/index.ts";
import type { Io } from "../io.ts";
import { keysetPager } from "../pagers/keyset-pager.ts";
import { skipRecord } from "../refusals.ts";
import { askWholeList, isNumericId } from "./ask.ts";
import { childStream, listStream } from "./list-stream.ts";

const io = {} as Io;
const rows = Array.from({ length: 5 }, (_, index) => ({ id: index + 1 }));
const make = (id: number) => helpdesk.groups.make({ id: String(id), name: `Group ${id}` });

const stream = listStream({
  stream: helpdesk.groups,
  pages: (all) =>
    keysetPager({
      ...all,
      size: 2,
      fetch: async (_io, _at, { after, size }) =>
        rows.filter(({ id }) => id > Number(after ?? 0)).slice(0, size),
    }),
  key: ({ id }) => id,
  // The second row is none of the stream's, the third is two records.
  toRecord: ({ id }) => (id === 2 ? null : id === 3 ? [make(30), make(31)] : make(id)),
  byIds: async (_io, ids) => rows.filter(({ id }) => ids.includes(String(id))),
});

test("reads the records of its rows by pages and by ids", async () => {
  const first = await stream.readPage(io, { cursor: null, since: null, parentId: null });
  expect(first.records.map(({ id }) => id)).toEqual(["1"]);
  const second = await stream.readPage(io, { cursor: first.next, since: null, parentId: null });
  expect(second.records.map(({ id }) => id)).toEqual(["30", "31", "4"]);
  expect((await stream.readByIds(io, ["1", "2", "4", "9"])).map(({ id }) => id)).toEqual(["1", "4"]);
  expect(stream.delta).toBe(false);
});

test("a parent that is gone has no children; one that is hidden is an error; one bad row does not fail the others", async () => {
  const children = childStream({
    stream: helpdesk.groups,
    perParent: "users",
    key: ({ id }: { id: number }) => id,
    list: async (_io, parentId) => {
      if (parentId !== "1") throw skipRecord("refused", "Refused.", Number(parentId));
      return rows;
    },
    toRecord({ id }) {
      if (id === 3) throw skipRecord("unexpected_record", "Odd.");
      return make(id);
    },
    byIds: async () => [],
  });
  const read = (parentId: string) => children.readPage(io, { cursor: null, since: null, parentId });
  expect(await read("404")).toMatchObject({ records: [], next: null });
  await expect(read("403")).rejects.toMatchObject({ status: 403 });
  const page = await read("1");
  expect(page.records.map(({ id }) => id)).toEqual(["1", "2", "4", "5"]);
  expect(page.unreadable).toMatchObject([{ id: "3" }]);
});

test("a whole list ends by its total or with a page that is not full, and has each row once", async () => {
  const fetch =
    (total: number | null) =>
    async ({ offset }: { offset: number }) => ({
      // The list shifts by one row after its first page.
      rows: rows.slice(Math.max(0, offset - 1), Math.max(0, offset - 1) + 2),
      total,
    });
  expect((await askWholeList(2, fetch(6))).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect((await askWholeList(2, fetch(null))).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
});

test("only ids that a tool with numbers can have issued are asked for", () => {
  expect(["1", "2147483647", "0", "01", "2147483648", "x", "12345678901"].map(isNumericId)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
