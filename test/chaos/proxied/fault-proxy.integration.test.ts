import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { noFaults } from "../../tools/stand-in/options.ts";
import { readBody } from "../../tools/stand-in/answer.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

const seen: string[] = [];
const tool = createServer(async (request, response) => {
  const body = await readBody(request);
  seen.push(`${request.method} ${request.url} ${String(request.headers["x-key"])} ${body.toString()}`);
  response.writeHead(request.url === "/bad" ? 422 : 200, { "x-own": "yes" }).end("said");
});
let proxy: FaultProxy;
let key: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    tool.listen(0, "127.0.0.1", resolve);
  });
  const { port } = tool.address() as { port: number };
  proxy = await startFaultProxy({
    target: `http://127.0.0.1:${port}`,
    seed: "proxy",
    header: "x-key",
    key: "real",
  });
  key = proxy.newKey();
});
afterAll(async () => {
  await proxy.close();
  tool.close();
});
beforeEach(() => {
  seen.splice(0);
  proxy.setFaults(noFaults);
});

const post = (path = "/issues", waitMs = 10_000) =>
  fetch(`${proxy.url}${path}`, {
    method: "POST",
    body: "one",
    headers: { "x-key": key },
    signal: AbortSignal.timeout(waitMs),
  });

test("passes a request through, with the tool's own key and answer", async () => {
  const answer = await post("/issues?a=1");
  expect([answer.status, answer.headers.get("x-own"), await answer.text()]).toEqual([200, "yes", "said"]);
  expect(seen).toEqual(["POST /issues?a=1 real one"]);
});

test("leaves the tool untouched when an error or a reset comes first", async () => {
  proxy.setFaults({ error: 1 });
  expect((await post()).status).toBe(500);
  proxy.setFaults({ reset: 1 });
  await expect(post()).rejects.toThrow();
  expect(seen).toEqual([]);
});

test("applies a write whose answer is an error or never comes", async () => {
  proxy.setFaults({ errorAfterWrite: 1 });
  expect((await post()).status).toBe(500);
  proxy.setFaults({ resetAfterWrite: 1 });
  await expect(post()).rejects.toThrow();
  proxy.setFaults({ silenceAfterWrite: 1 });
  await expect(post("/issues", 1_000)).rejects.toThrow();
  expect(seen).toHaveLength(3);
});

test("never hides a refusal by the tool as a lost answer", async () => {
  proxy.setFaults({ errorAfterWrite: 1, resetAfterWrite: 1 });
  expect((await post("/bad")).status).toBe(422);
});

test("answers a late write with 504 and applies it afterwards", async () => {
  proxy.setFaults({ lateEffect: 1, lateEffectMs: 500 });
  expect((await post()).status).toBe(504);
  expect([seen.length, proxy.lateWrites()]).toEqual([0, 1]);
  await expect.poll(() => [seen.length, proxy.lateWrites()], { timeout: 90_000 }).toEqual([1, 0]);
});

test("refuses expired keys and accepts new ones", async () => {
  const before = proxy.unauthorized();
  proxy.expire();
  expect((await post()).status).toBe(401);
  expect([seen.length, proxy.unauthorized()]).toEqual([0, before + 1]);
  key = proxy.newKey();
  expect((await post()).status).toBe(200);
});
