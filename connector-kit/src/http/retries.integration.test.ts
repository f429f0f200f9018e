import { describe, expect, test } from "vitest";
import { type Answer, failure, httpFor, learned, plain, serve } from "../../test/local-tool.ts";
import type { HttpRequest } from "../io.ts";
import type { Transport } from "./transport.ts";

describe("retries", () => {
  const failing = (times: number, fail: Answer) =>
    serve((response, seen, count) => (count <= times ? fail(response, seen, count) : response.end("fine")));
  const status =
    (code: number, headers = {}): Answer =>
    (response) =>
      response.writeHead(code, headers).end();
  const reset: Answer = (response) => response.socket?.destroy();
  const post: HttpRequest = { url: "x", method: "POST", json: {} };

  test.each([
    ["GET after 500", status(500), { url: "x" }],
    ["GET after a reset", reset, { url: "x" }],
    ["PUT after 503", status(503), { url: "x", method: "PUT", json: {} }],
    ["DELETE after 502", status(502), { url: "x", method: "DELETE" }],
    ["POST after 429", status(429), post],
    ["POST that is idempotent after 500", status(500), { ...post, idempotent: true }],
  ] as [string, Answer, HttpRequest][])("%s", async (_, fail, request) => {
    const { seen, base } = await failing(2, fail);
    expect((await httpFor(base).send(request)).text).toBe("fine");
    expect(seen).toHaveLength(3);
  });

  test.each([
    ["500", status(500)],
    ["503", status(503)],
    ["a reset", reset],
    [
      "an answer that breaks off",
      (response) => {
        response.writeHead(201, { "content-length": "100" }).write("begin");
        setTimeout(() => response.socket?.destroy(), 20);
      },
    ],
  ])("a POST after %s has an unknown outcome and is not retried", async (_, fail) => {
    const { seen, base } = await failing(1, fail);
    expect(await failure(httpFor(base).send(post))).toMatchObject({ code: "outcome_unknown" });
    expect(seen).toHaveLength(1);
  });

  test("retries a POST that was never sent", async () => {
    const { seen, base } = await serve((response) => response.end("fine"));
    let refusals = 0;
    const transport: Transport = {
      async send(request) {
        refusals += 1;
        if (refusals < 3) throw Object.assign(new Error("x"), { code: "unreachable", mayHaveArrived: false });
        return plain.send(request);
      },
    };
    expect((await httpFor(base, { transport }).send(post)).text).toBe("fine");
    expect(seen).toHaveLength(1);
  });

  test("end, and report how long the tool wants us to wait", async () => {
    const { seen, base } = await failing(99, status(429, { "retry-after": "120" }));
    expect(await failure(httpFor(base).send({ url: "x" }))).toMatchObject({
      recovery: "retry",
      code: "rate_limited",
      retryAfterMs: 120_000,
    });
    expect(seen).toHaveLength(1);
    expect(learned.at(-1)).toMatchObject({ status: 429, retryAfterMs: 120_000 });
    const other = await failing(99, status(500));
    expect(await failure(httpFor(other.base).send({ url: "x" }))).toMatchObject({ code: "unavailable" });
    expect(other.seen).toHaveLength(4);
  });

  test.each([
    [400, "skip-record", "rejected"],
    [401, "reauthorize", "unauthorized"],
    [403, "skip-record", "forbidden"],
    [404, "skip-record", "not_found"],
    [422, "skip-record", "rejected"],
    [418, "abort", "unexpected_status"],
  ])("%i: %s", async (code, recovery, name) => {
    const { seen, base } = await failing(9, status(code));
    expect(await failure(httpFor(base).send({ url: "x" }))).toMatchObject({
      recovery,
      code: name,
      status: code,
    });
    expect(seen).toHaveLength(1);
    const answer = await httpFor(base).send({ url: "x", accept: [code] });
    expect(answer.status).toBe(code);
  });
});
