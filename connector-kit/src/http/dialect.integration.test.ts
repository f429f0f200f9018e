import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { failure, httpFor, learned, manifestOf, plain, secret, serve } from "../../test/local-tool.ts";
import type { HttpRequest } from "../io.ts";
import type { Dialect } from "../manifest.ts";
import { createTestIo } from "../test-io.ts";
import { watchEffects } from "./effects.ts";

const post: HttpRequest = { url: "x", method: "POST", json: {} };

const dialect: Dialect = {
  explain({ status, text, json }) {
    if (text.includes("secondary rate limit")) return { status: 429 };
    const { error } = (json() ?? {}) as { error?: string };
    if (status === 403 && error === "PlanLimit") return { recovery: "abort", code: "plan_limit" };
    if (status === 423) return { recovery: "retry", code: "locked", retryAfterMs: 20_000 };
    return error === undefined ? undefined : { code: error };
  },
  explainSuccess: ({ json }) =>
    (json() as { errors?: unknown } | undefined)?.errors === "RATELIMITED" ? { status: 429 } : undefined,
  reasons: { plan_limit: "has no room for more deals in its plan" },
};

/** Answers with this until the given number of requests have come, then with "fine". */
const refusing = (times: number, status: number, body: string, headers = {}) =>
  serve((response, _, count) =>
    count <= times ? response.writeHead(status, headers).end(body) : response.end("fine"),
  );

describe("a refusal", () => {
  test("means what the dialect says, in fixed words that never quote the answer", async () => {
    const { base } = await refusing(9, 403, '{"error":"PlanLimit","description":"private words"}');
    const error = await failure(httpFor(base, { dialect }).send({ url: "x" }));
    expect(error).toMatchObject({ recovery: "abort", code: "plan_limit", status: 403 });
    expect(error.message).toBe("Tool has no room for more deals in its plan (403).");
    expect(inspect(error)).not.toContain("private");
  });

  test.each([
    ["words", "no such thing"],
    ["a page", "<html>{</html>"],
    ["nothing", ""],
  ])("that the dialect does not know means what its status says: %s", async (_, body) => {
    const { base } = await refusing(9, 404, body);
    expect(await failure(httpFor(base, { dialect }).send({ url: "x" }))).toMatchObject({
      recovery: "skip-record",
      code: "not_found",
    });
  });

  test("can't carry a customer's words as its code", async () => {
    const { base } = await refusing(9, 422, '{"error":"Ann wrote this"}');
    expect(await failure(httpFor(base, { dialect }).send({ url: "x" }))).toMatchObject({ code: "rejected" });
  });

  test("of one request makes only this request wait", async () => {
    const { base } = await refusing(9, 423, "");
    const error = await failure(httpFor(base, { dialect }).send({ url: "x" }));
    expect(error).toMatchObject({ recovery: "retry", code: "locked", retryAfterMs: 20_000 });
    expect(learned.at(-1)).toMatchObject({ status: 423, retryAfterMs: null });
  });

  test("during a write stays unknown, whatever the dialect calls it", async () => {
    const { base } = await refusing(9, 500, '{"error":"rejected"}');
    expect(await failure(httpFor(base, { dialect }).send(post))).toMatchObject({ code: "outcome_unknown" });
  });

  test("of a file is explained by its start alone", async () => {
    const { base } = await serve((response) => response.writeHead(403).end("x".repeat(1_000_000)));
    let length = 0;
    const explain: Dialect["explain"] = ({ text }) => {
      length = text.length;
      return { code: "seen" };
    };
    const error = await failure(httpFor(base, { dialect: { explain } }).download({ url: "x" }));
    expect([error.code, length]).toEqual(["seen", 64 * 1024]);
  });

  test("that the dialect fails at is a bug of the connector, which the error does not quote", async () => {
    const { base } = await refusing(9, 400, "private words");
    const explain: Dialect["explain"] = ({ text }) => JSON.parse(text) as never;
    const error: unknown = await httpFor(base, { dialect: { explain } })
      .send({ url: "x" })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).not.toContain("private");
  });
});

describe("a tool that says in its own way to slow down", () => {
  test("with another status: the account learns of it, and a write is sent again", async () => {
    const { seen, base } = await refusing(1, 403, "You hit a secondary rate limit.", { "retry-after": "0" });
    expect((await httpFor(base, { dialect }).send(post)).text).toBe("fine");
    expect(seen).toHaveLength(2);
    expect(learned.at(-2)).toMatchObject({ status: 429, retryAfterMs: 0 });
  });

  test("with a status that the connector accepts for other reasons", async () => {
    const { seen, base } = await refusing(1, 403, "You hit a secondary rate limit.");
    const request = { url: "x", accept: [403] };
    expect((await httpFor(base, { dialect }).send(request)).text).toBe("fine");
    expect(seen).toHaveLength(2);
    const other = await refusing(1, 403, '{"error":"PlanLimit"}');
    const answer = await httpFor(other.base, { dialect }).send(request);
    expect([answer.status, answer.json()]).toEqual([403, { error: "PlanLimit" }]);
  });

  test("with a success: it counts as refused, so that a write has no effect", async () => {
    const body = '{"errors":"RATELIMITED"}';
    const { seen, base } = await refusing(1, 200, body);
    expect((await httpFor(base, { dialect }).send(post)).text).toBe("fine");
    expect(seen).toHaveLength(2);
    expect(learned.at(-2)).toMatchObject({ status: 429 });
    const always = await refusing(99, 200, body);
    const { io, mayHaveEffect } = watchEffects({
      http: httpFor(always.base, { dialect }),
      settings: {},
      signal: new AbortController().signal,
      scope: {},
    });
    expect(await failure(io.http.send(post))).toMatchObject({ recovery: "retry", code: "rate_limited" });
    expect(mayHaveEffect()).toBe(false);
  });

  test("without a time: the account waits as long as the dialect says", async () => {
    const { seen, base } = await refusing(9, 429, "");
    const error = await failure(httpFor(base, { dialect: { waitMs: 10_000 } }).send({ url: "x" }));
    expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 10_000 });
    expect(learned.at(-1)).toMatchObject({ status: 429, retryAfterMs: null, usualWaitMs: 10_000 });
    expect(seen).toHaveLength(1);
  });

  test("by when its quota is full again", async () => {
    const { base } = await refusing(9, 429, "", { "x-left": "0", "x-reset": "30" });
    const error = await failure(httpFor(base, { dialect: { waitMs: 10_000 } }).send({ url: "x" }));
    expect(error.retryAfterMs).toBe(30_000);
    expect(learned.at(-1)).toMatchObject({ status: 429, retryAfterMs: 30_000 });
  });
});

test("a tool that reports an expired token with another status: it is renewed", async () => {
  const { seen, base } = await serve((response, { headers }) =>
    headers.authorization === "Bearer new"
      ? response.end("fine")
      : response.writeHead(400).end('{"error":"expired"}'),
  );
  let current = "old";
  const { http } = createTestIo({
    manifest: {
      ...manifestOf(),
      auth: {
        kind: "oauth2",
        authorizationUrl: () => base,
        tokenUrl: () => base,
        scopes: { read: [], write: [] },
        refreshTokens: "reusable",
        pkce: false,
      },
      dialect: { explain: ({ text }) => (text.includes("expired") ? { status: 401 } : undefined) },
    },
    settings: { instanceUrl: base, token: secret },
    transport: plain,
    tokens: {
      current: async () => current,
      refresh: async () => {
        current = "new";
        return current;
      },
    },
  });
  expect((await http.send({ url: "x" })).text).toBe("fine");
  expect(seen).toHaveLength(2);
});
