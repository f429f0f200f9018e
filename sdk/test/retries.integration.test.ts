import { getEventListeners } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createPortage, PortageError, type PortageOptions } from "@portage/sdk";
import { createRequester } from "../src/requester.ts";
import { longestDelayMs, retryAfterMs, retryDelayMs } from "../src/retry-delay.ts";

type Reply = (answer: ServerResponse) => void;

let server: Server;
let url = "";
let replies: Reply[] = [];
let arrived: { at: number; path: string; headers: IncomingHttpHeaders }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    arrived.push({ at: performance.now(), path: String(request.url), headers: request.headers });
    const reply = replies.shift();
    if (reply) reply(response);
    else response.end("[]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  replies = [];
  arrived = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const answer =
  (status: number, headers: Record<string, string> = {}, body = ""): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body);
const silence: Reply = () => {};

const portage = (options: Partial<PortageOptions> = {}) =>
  createPortage({ url, token: "t", retryDelayMs: 1, ...options });

const codeOf = async (call: Promise<unknown>) =>
  call.then(
    () => "ok",
    (error: unknown) => (error instanceof PortageError ? error.code : error),
  );

describe("which answers are asked for again", () => {
  test.each([408, 409, 429, 500, 502, 503, 504])("%d is", async (status) => {
    replies = [answer(status)];
    expect(await portage().tools.list()).toEqual([]);
    expect(arrived).toHaveLength(2);
  });
  test.each([301, 302, 400, 401, 403, 404, 405, 422, 431])("%d is not", async (status) => {
    replies = [answer(status, { location: "/elsewhere" })];
    await expect(portage().tools.list()).rejects.toMatchObject({ status });
    expect(arrived).toHaveLength(1);
  });
});

test("as often as said, and no more", async () => {
  for (const [retries, attempts] of [
    [undefined, 5],
    [0, 1],
    [2, 3],
  ] as const) {
    arrived = [];
    replies = Array.from({ length: 9 }, () => answer(503));
    expect(await codeOf(portage({ retries }).tools.list())).toBe("unavailable");
    expect(arrived).toHaveLength(attempts);
  }
});

test("what is not safe to send twice is sent once", async () => {
  const ask = createRequester({
    baseUrl: `${url}/api/v2.1`,
    token: "t",
    timeoutMs: 5_000,
    retries: 4,
    retryDelayMs: 1,
    fetch,
  });
  const body = { source_tool: "x" };
  for (const status of [429, 503]) {
    arrived = [];
    replies = [answer(status)];
    await expect(ask("createImport", { body })).rejects.toMatchObject({ status });
    expect(arrived).toHaveLength(1);
  }
  replies = [answer(503)];
  expect((await ask("createImport", { body, idempotencyKey: "k" })).body).toEqual([]);
});

test("Retry-After is waited for", async () => {
  replies = [answer(429, { "retry-after": "1" })];
  await portage().tools.list();
  expect((arrived[1]?.at ?? 0) - (arrived[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test("but not when it is too long: then it is told", async () => {
  replies = [answer(429, { "retry-after": "31" })];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 31_000 });
  expect(arrived).toHaveLength(1);
});

test("waits grow, differ, are bounded, and are never shorter than asked", () => {
  const delay = (attempt: number, random: number, asked: number | null = null) =>
    retryDelayMs({ retryAfterMs: asked }, { attempt, firstDelayMs: 500, random: () => random });
  expect([0, 1, 2, 3].map((attempt) => delay(attempt, 1))).toEqual([500, 1000, 2000, 4000]);
  expect([0, 1, 2, 3].map((attempt) => delay(attempt, 0))).toEqual([250, 500, 1000, 2000]);
  expect(delay(50, 1)).toBe(longestDelayMs);
  expect(delay(0, 0, 1000)).toBe(1000);
  expect(delay(0, 1, 1000)).toBeGreaterThan(1000);
  expect(delay(0, 0, 0)).toBe(0);
});

test.each([
  ["3", 3_000],
  [" 0 ", 0],
  ["Sun, 15 Nov 2026 10:00:05 GMT", 5_000],
  ["Sun, 15 Nov 2026 09:00:00 GMT", 0],
  ["soon", null],
  ["-1", null],
  [null, null],
])("Retry-After: %s", (header, expected) => {
  expect(retryAfterMs(header, Date.parse("2026-11-15T10:00:00Z"))).toBe(expected);
});

test("an attempt that takes too long is given up, also in the middle of its answer, and made again", async () => {
  replies = [silence, (response) => void response.writeHead(200).write("[")];
  expect(await portage({ timeoutMs: 300 }).tools.list()).toEqual([]);
  expect(arrived).toHaveLength(3);
  replies = [silence];
  const error = portage({ retries: 0 }).tools.list({}, { timeoutMs: 50 });
  await expect(error).rejects.toMatchObject({ code: "timed_out", status: 0 });
});

test("nobody there", async () => {
  const error = createPortage({ url: "http://127.0.0.1:1", token: "t", retries: 1, retryDelayMs: 1 });
  expect(await codeOf(error.tools.list())).toBe("connection_failed");
});

describe("a signal", () => {
  test("ends an attempt", async () => {
    replies = [silence];
    const reason = new Error("enough");
    const controller = new AbortController();
    const call = portage().tools.list({}, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(call).rejects.toBe(reason);
    expect(arrived).toHaveLength(1);
  });

  test("ends a wait", async () => {
    replies = [answer(429, { "retry-after": "20" })];
    const call = portage().tools.list({}, { signal: AbortSignal.timeout(200) });
    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
    expect(arrived).toHaveLength(1);
  });

  test("that was given before lets nothing out", async () => {
    await expect(portage().tools.list({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(arrived).toHaveLength(0);
  });

  test("that lives long collects no listeners", async () => {
    const { signal } = new AbortController();
    replies = [answer(503), silence, answer(503)];
    await portage({ timeoutMs: 200 }).tools.list({}, { signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

test("what is not the API is told as such", async () => {
  replies = [answer(200, {}, "<html>")];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "unexpected_answer", status: 200 });
  replies = [answer(404, {}, "<html>")];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "unexpected_answer", status: 404 });
  replies = [answer(302, { location: `${url}/other` })];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "unexpected_answer", status: 302 });
  expect(arrived.map(({ path }) => path)).not.toContain("/other");
});

test("it says who it is, and nothing that it need not", async () => {
  await portage().tools.list();
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  expect(arrived[0]?.headers).toMatchObject({
    authorization: `Basic ${btoa("t:")}`,
    "user-agent": `portage-sdk/${manifest.version}`,
  });
  expect(arrived[0]?.headers["idempotency-key"]).toBeUndefined();
});
