import { expect, test } from "vitest";
import type { Outcome } from "../../../../client/problem.ts";
import { sendFile, type Sending } from "./send-file.ts";

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
    const text = (await bytes?.text()) ?? "";
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
    onOffline: () => {},
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
  const offlines: boolean[] = [];
  expect(await send(server, { onOffline: (offline) => void offlines.push(offline) })).toEqual({
    kind: "done",
  });
  expect(server.stored()).toBe(content);
  expect(offlines).toContain(true);
  expect(offlines.at(-1)).toBe(false);
});

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
