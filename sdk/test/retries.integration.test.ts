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

describe("which answers the client retries", () => {
  test.each([408, 429, 500, 502, 503, 504])("%d is", async (status) => {
    replies = [answer(status)];
    expect(await portage().tools.list()).toEqual([]);
    expect(arrived).toHaveLength(2);
  });
  test("409 is, if it is about an idempotency key", async () => {
    replies = [answer(409)];
    await portage().imports.create({ source_tool: "redmine" });
    expect(arrived).toHaveLength(2);
  });
  test.each([301, 302, 400, 401, 403, 404, 405, 409, 422, 431])("%d is not", async (status) => {
    replies = [answer(status, { location: "/elsewhere" })];
    await expect(portage().tools.list()).rejects.toMatchObject({ status });
    expect(arrived).toHaveLength(1);
  });
});

test("retries as often as configured, and no more", async () => {
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

test("sends a request that is not idempotent only once", async () => {
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

test("waits as long as Retry-After says", async () => {
  replies = [answer(429, { "retry-after": "1" })];
  await portage().tools.list();
  expect((arrived[1]?.at ?? 0) - (arrived[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test("throws instead when Retry-After is too long", async () => {
  replies = [answer(429, { "retry-after": "31" })];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 31_000 });
  expect(arrived).toHaveLength(1);
});

test("delays grow, have jitter and a maximum, and are never shorter than requested", () => {
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

test("aborts an attempt after the timeout, even in the middle of its answer, and retries it", async () => {
  replies = [silence, (response) => void response.writeHead(200).write("[")];
  expect(await portage({ timeoutMs: 300 }).tools.list()).toEqual([]);
  expect(arrived).toHaveLength(3);
  replies = [silence];
  const error = portage({ retries: 0 }).tools.list({}, { timeoutMs: 50 });
  await expect(error).rejects.toMatchObject({ code: "timed_out", status: 0 });
});

test("no server", async () => {
  const error = createPortage({ url: "http://127.0.0.1:1", token: "t", retries: 1, retryDelayMs: 1 });
  expect(await codeOf(error.tools.list())).toBe("connection_failed");
});

describe("a signal", () => {
  test("aborts an attempt", async () => {
    replies = [silence];
    const reason = new Error("enough");
    const controller = new AbortController();
    const call = portage().tools.list({}, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(call).rejects.toBe(reason);
    expect(arrived).toHaveLength(1);
  });

  test("aborts a delay", async () => {
    replies = [answer(429, { "retry-after": "20" })];
    const call = portage().tools.list({}, { signal: AbortSignal.timeout(200) });
    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
    expect(arrived).toHaveLength(1);
  });

  test("that is already aborted prevents the request", async () => {
    await expect(portage().tools.list({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(arrived).toHaveLength(0);
  });

  test("with a long life collects no listeners", async () => {
    const { signal } = new AbortController();
    replies = [answer(503), silence, answer(503)];
    await portage({ timeoutMs: 200 }).tools.list({}, { signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

test("reports an answer that is not from the API", async () => {
  replies = [answer(200, {}, "<html>")];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "unexpected_answer", status: 200 });
  replies = [answer(404, {}, "<html>")];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "unexpected_answer", status: 404 });
  replies = [answer(302, { location: `${url}/other` })];
  await expect(portage().tools.list()).rejects.toMatchObject({ code: "unexpected_answer", status: 302 });
  expect(arrived.map(({ path }) => path)).not.toContain("/other");
});

test("sends its name and version, and no unnecessary headers", async () => {
  await portage().tools.list();
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  expect(arrived[0]?.headers).toMatchObject({
    authorization: `Basic ${btoa("t:")}`,
    "user-agent": `portage-sdk/${manifest.version}`,
  });
  expect(arrived[0]?.headers["idempotency-key"]).toBeUndefined();
});
