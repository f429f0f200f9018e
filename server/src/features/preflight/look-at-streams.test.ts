import { ConnectorError, helpdesk, type Io, type SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { inTime } from "./in-time.ts";
import { lookAtStreams } from "./look-at-streams.ts";

const io = {} as Io;
const forbidden = new ConnectorError({
  recovery: "skip-record",
  code: "forbidden",
  status: 403,
  message: "No.",
});
const streamOf = (name: "tickets" | "comments", more: Partial<SourceStream>): SourceStream => ({
  stream: helpdesk[name],
  delta: false,
  readPage: async () => ({ records: [{ id: "7" }] as never, next: null }),
  readByIds: async () => [],
  ...more,
});
const lookAt = (...streams: readonly SourceStream[]) =>
  lookAtStreams(
    streams.map((from) => ({ from, to: null })),
    io,
  );

test("a tool that counts a stream may still refuse to read it", async () => {
  const [look] = await lookAt(
    streamOf("tickets", {
      count: async () => ({ value: 12, exact: true }),
      readPage: () => Promise.reject(forbidden),
    }),
  );
  expect(look).toMatchObject({ count: 12, refused: forbidden });
});

test("a tool that refuses to count may still read; a single page is counted", async () => {
  const [look] = await lookAt(streamOf("tickets", { count: () => Promise.reject(forbidden) }));
  expect(look).toMatchObject({ count: 1, exact: true, refused: null, pageSize: null });
});

test("a count of null is no count: only a single page is counted", async () => {
  const count = () => Promise.resolve(null);
  const more = { records: [], next: { kind: "page", page: 2 } } as never;
  const [whole, part] = await lookAt(
    streamOf("tickets", { count }),
    streamOf("comments", { count, readPage: () => Promise.resolve(more) }),
  );
  expect(whole).toMatchObject({ count: 1, exact: true });
  expect(part).toMatchObject({ count: null, exact: false });
});

test("a per-parent stream is read with a parent, and without one not at all", async () => {
  const asked: (string | null)[] = [];
  const comments = streamOf("comments", {
    perParent: "tickets",
    readPage: async (_, { parentId }) => {
      asked.push(parentId);
      return { records: [], next: null };
    },
  });
  const [, look] = await lookAt(streamOf("tickets", {}), comments);
  expect(asked).toEqual(["7"]);
  expect(look?.count).toBeNull();
  await lookAt(streamOf("tickets", { readPage: async () => ({ records: [], next: null }) }), comments);
  expect(asked).toEqual(["7"]);
});

test("an error of the whole tool is thrown", async () => {
  const away = new ConnectorError({ recovery: "retry", code: "unavailable", message: "Away." });
  await expect(lookAt(streamOf("tickets", { readPage: () => Promise.reject(away) }))).rejects.toBe(away);
});

test("a late answer or error is ignored", async () => {
  const never = new AbortController();
  expect(await inTime(never.signal, async () => 1)).toEqual({ kind: "done", value: 1 });
  await expect(inTime(never.signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const soon = AbortSignal.timeout(20);
  expect(await inTime(soon, () => new Promise(() => {}))).toEqual({ kind: "late" });
  expect(await inTime(soon, async () => 1)).toEqual({ kind: "late" });
  const cut = AbortSignal.timeout(20);
  const fails = () =>
    new Promise<never>((_, reject) => {
      cut.addEventListener("abort", () => reject(new Error("cut off")));
    });
  expect(await inTime(cut, fails)).toEqual({ kind: "late" });
});
