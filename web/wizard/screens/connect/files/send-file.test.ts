import { expect, test } from "vitest";
import type { Outcome } from "../../../../client/problem.ts";
import { sendFile, type Sending, type WaitsFor } from "./send-file.ts";

const content = "0123456789".repeat(10);

/** A server that stores whole pieces of 8 bytes, and whose connection breaks at the given requests. */
const serverOf = (breaks: (request: number) => "before" | "after" | undefined) => {
  let stored = "";
  let requests = 0;
  const sizes: number[] = [];
  const request = async (path: string, { bytes }: { bytes?: Blob } = {}): Promise<Outcome<unknown>> => {
    requests += 1;
    const how = breaks(requests);
    if (how === "before") return { kind: "offline" };
    const offset = Number(/offset=(\d+)/.exec(path)?.[1]);
    if (offset !== stored.length)
      return { kind: "refused", message: "", current: { received: stored.length } };
    const text = await bytes?.text().catch(() => null);
    // A request whose body can't be read fails as one without a connection does.
    if (text == null) return { kind: "offline" };
    sizes.push(text.length);
    const isLast = offset + text.length === content.length;
    stored += isLast ? text : text.slice(0, text.length - (text.length % 8));
    return how === "after" ? { kind: "offline" } : { kind: "ok", value: { received: stored.length } };
  };
  return { request: request as Sending["client"]["request"], stored: () => stored, sizes };
};

const send = (server: ReturnType<typeof serverOf>, more: Partial<Sending> = {}) =>
  sendFile({
    client: server,
    file: new Blob([content]),
    path: "/uploads/upl_1",
    received: 0,
    pieceBytes: 8,
    chunkBytes: 32,
    signal: new AbortController().signal,
    onProgress: () => {},
    onWaiting: () => {},
    pause: async () => {},
    ...more,
  });

test("sends a file in growing chunks, up to the limit", async () => {
  const server = serverOf(() => undefined);
  expect(await send(server)).toEqual({ kind: "done" });
  expect(server.stored()).toBe(content);
  expect(server.sizes).toEqual([8, 16, 32, 32, 12]);
});

test("goes on after lost requests and lost answers, and tells of both", async () => {
  const server = serverOf((request) =>
    request % 3 === 0 ? "after" : request % 2 === 0 ? "before" : undefined,
  );
  const waits: (WaitsFor | null)[] = [];
  expect(await send(server, { onWaiting: (waitsFor) => void waits.push(waitsFor) })).toEqual({
    kind: "done",
  });
  expect(server.stored()).toBe(content);
  expect(new Set(waits)).toEqual(new Set(["connection", null]));
  expect(waits.at(-1)).toBeNull();
});

test.each<Outcome<never>>([
  { kind: "refused", message: "There were many requests." },
  { kind: "unexpected", requestId: null },
])(
  "waits while the service takes no more ($kind), and does not call that a lost connection",
  async (answer) => {
    const server = serverOf(() => undefined);
    let left = 3;
    const request = (async (path: string, options: { bytes?: Blob }) => {
      left -= 1;
      return left === 1 ? answer : server.request(path, options);
    }) as Sending["client"]["request"];
    const waits: (WaitsFor | null)[] = [];
    await send({ ...server, request }, { onWaiting: (waitsFor) => void waits.push(waitsFor) });
    expect(server.stored()).toBe(content);
    expect(waits).toEqual(["service", null]);
  },
);

test("resumes where the server is, not where the page believes it to be", async () => {
  const server = serverOf(() => undefined);
  await send(server, { file: new Blob([content.slice(0, 100)]), received: 0 });
  const progress: number[] = [];
  expect(await send(server, { received: 40, onProgress: (at) => void progress.push(at) })).toEqual({
    kind: "done",
  });
  expect(progress).toEqual([100]);
});

test("a removed file ends it, and so does the caller", async () => {
  const gone: Outcome<never> = { kind: "gone", message: "removed" };
  const client = { request: (async () => gone) as Sending["client"]["request"] };
  expect(
    await send(
      serverOf(() => undefined),
      { client },
    ),
  ).toEqual({ kind: "failed", problem: gone });
  expect(
    await send(
      serverOf(() => undefined),
      { signal: AbortSignal.abort() },
    ),
  ).toEqual({ kind: "stopped" });
});

test("a file that the browser can't read any more ends it, and is no lost connection", async () => {
  const server = serverOf(() => undefined);
  const slice = (start = 0, end = 0): Blob => {
    const bytes = new Blob([content.slice(start, end)]);
    // As for a file on disk that was changed, moved or removed since it was chosen.
    const broken = async () => {
      throw new DOMException("The file could not be read", "NotReadableError");
    };
    return start < 24 ? bytes : Object.assign(bytes, { arrayBuffer: broken, text: broken });
  };
  const waits: (WaitsFor | null)[] = [];
  const sent = await send(server, {
    file: { size: content.length, slice },
    onWaiting: (waitsFor) => void waits.push(waitsFor),
    pause: async () => {
      throw new Error("It waits.");
    },
  });
  expect(sent).toEqual({ kind: "unreadable" });
  expect(server.stored()).toBe(content.slice(0, 24));
  expect(waits).toEqual([]);
});
