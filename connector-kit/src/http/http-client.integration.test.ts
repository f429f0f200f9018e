import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failure, httpFor, learned, manifestOf, plain, secret, serve } from "../../test/local-tool.ts";
import { ConnectorError, isOddAnswer } from "../errors.ts";
import type { HttpRequest } from "../io.ts";
import { createTestIo } from "../test-io.ts";
import type { AccessTokens } from "./authorize.ts";
import type { Call } from "./quotas.ts";
import { type Exchange, recordExchanges, replayExchanges } from "./recording.ts";
import { transportError } from "./status-error.ts";

test("authorizes requests and resolves them relative to the instance, path included", async () => {
  const { seen, base } = await serve((response) => response.end("[1]"));
  const http = httpFor(`${base}/redmine`);
  for (const url of ["issues.json", "/issues.json", `${base}/redmine/issues.json`])
    expect((await http.send({ url, query: { a: [1, 2], b: null, c: "x y" } })).json()).toEqual([1]);
  expect(seen.map(({ url }) => url)).toEqual(Array(3).fill("/redmine/issues.json?a=1&a=2&c=x+y"));
  expect(seen[0]?.headers["x-api-key"]).toBe(secret);
});

test("checks an answer and does not quote an invalid one", async () => {
  const { base } = await serve((response) => response.end('{"name":"private words"}'));
  const answer = await httpFor(base).send({ url: "x" });
  try {
    answer.json(z.object({ name: z.number() }));
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: "unexpected_answer" });
    expect(inspect(error)).not.toContain("private");
  }
});

test("a page in place of data is no answer, whatever its status says", async () => {
  const page = "<!DOCTYPE html><title>We will be back soon</title>";
  const { base } = await serve((response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page),
  );
  const http = httpFor(base);
  for (const method of ["GET", "POST", "DELETE"] as const) {
    const error = await failure(http.send({ url: "x", method }));
    expect(error).toMatchObject({ code: "unexpected_answer", recovery: "abort" });
  }
  // A connector that fills in the tool's own forms asks for pages.
  const asked = await http.send({ url: "x", headers: { accept: "text/html" } });
  expect(asked.text).toBe(page);
});

test("an empty answer that says to be a page is one of success", async () => {
  const { base } = await serve((response) =>
    response.writeHead(200, { "content-type": "text/html" }).end(" "),
  );
  expect((await httpFor(base).send({ url: "x", method: "DELETE" })).status).toBe(200);
});

describe("confinement", () => {
  test("does not call another host", async () => {
    const other = await serve((response) => response.end("x"));
    const { base } = await serve((response) => response.end("x"));
    const error = await failure(httpFor(base).send({ url: `${other.base}/x` }));
    expect(error).toMatchObject({ code: "undeclared_host", recovery: "abort" });
    expect(other.seen).toEqual([]);
  });

  test("does not follow a redirect to another host", async () => {
    const other = await serve((response) => response.end("x"));
    const { base } = await serve((response) => response.writeHead(302, { location: other.base }).end());
    expect(await failure(httpFor(base).send({ url: "x" }))).toMatchObject({ code: "undeclared_host" });
    expect(other.seen).toEqual([]);
  });

  test("does not follow a redirect that the connector handles itself", async () => {
    const other = await serve((response) => response.end("x"));
    const { base } = await serve((response) => response.writeHead(302, { location: other.base }).end());
    const answer = await httpFor(base).send({ url: "x", accept: [302] });
    expect([answer.status, answer.headers.location]).toEqual([302, other.base]);
    expect(other.seen).toEqual([]);
  });

  test("sends a file host no credentials and no headers of the connector", async () => {
    const other = await serve((response) => response.end("file"));
    const { base } = await serve((response) => response.writeHead(302, { location: other.base }).end());
    const http = httpFor(base, { files: [other.base] });
    expect((await http.send({ url: "x", headers: { cookie: "session" } })).text).toBe("file");
    await http.send({ url: other.base });
    for (const { headers } of other.seen) {
      expect(headers).not.toHaveProperty("x-api-key");
      expect(headers).not.toHaveProperty("cookie");
    }
    expect(other.seen).toHaveLength(2);
  });

  test("does not send credentials again after a redirect through another host", async () => {
    let back = "";
    const other = await serve((response) => response.writeHead(302, { location: back }).end());
    const { seen, base } = await serve((response, { url }) =>
      url === "/start" ? response.writeHead(302, { location: other.base }).end() : response.end("x"),
    );
    back = `${base}/end`;
    await httpFor(base, { files: [other.base] }).send({ url: "start" });
    expect(seen.map(({ headers }) => headers["x-api-key"])).toEqual([secret, undefined]);
  });

  test("a connector can't set headers of the connection", async () => {
    const { base } = await serve((response) => response.end("x"));
    await expect(httpFor(base).send({ url: "x", headers: { Host: "evil" } })).rejects.toThrow("Host");
  });
});

test("the limiter learns the remaining quota", async () => {
  const { base } = await serve((response) =>
    response.writeHead(200, { "x-left": "3", "x-reset": "2" }).end(),
  );
  await httpFor(base).send({ url: "x" });
  expect(learned.at(-1)).toMatchObject({
    quotas: [{ name: "x-left", remaining: 3, resetMs: 2000 }],
  });
  expect(learned.at(-1)?.tookMs).toBeGreaterThan(0);
});

test("the limiter counts a request by its class and cost, and a search by POST as a read", async () => {
  const { base } = await serve((response) => response.writeHead(429).end());
  const taken: Call[] = [];
  const { http } = createTestIo({
    manifest: manifestOf(),
    settings: { instanceUrl: base, token: secret },
    transport: plain,
    limiter: {
      take: async (call) => {
        taken.push(call);
        return { release() {} };
      },
      learn: (answer) => void learned.push(answer),
    },
    retry: { attempts: 1 },
  });
  const post: HttpRequest = { url: "x", method: "POST", json: {} };
  for (const request of [{ ...post, reads: true, class: "search", cost: 20 }, post, { url: "x" }])
    await failure(http.send(request));
  expect(taken).toEqual([
    { kind: "read", class: "search", cost: 20 },
    { kind: "write", class: undefined, cost: undefined },
    { kind: "read", class: undefined, cost: undefined },
  ]);
  expect(learned.slice(-3).map(({ call }) => call)).toEqual(taken);
});

test("the limiter learns of a missing answer", async () => {
  const { base } = await serve((response) => response.socket?.destroy());
  await failure(httpFor(base).send({ url: "x", method: "POST", json: {} }));
  expect(learned.at(-1)).toMatchObject({ status: null, failure: "unreachable", retryAfterMs: null });
});

test("the limiter's error with its delay reaches the caller", async () => {
  const { seen, base } = await serve((response) => response.end("x"));
  const away = new ConnectorError({
    recovery: "retry",
    code: "unavailable",
    message: "Later.",
    retryAfterMs: 5_000,
  });
  const { http } = createTestIo({
    manifest: manifestOf(),
    settings: { instanceUrl: base, token: secret },
    transport: plain,
    limiter: { take: () => Promise.reject(away), learn() {} },
  });
  expect(await failure(http.send({ url: "x" }))).toBe(away);
  expect(seen).toHaveLength(0);
});

test("renews an expired token once, also for a POST", async () => {
  let current = "old-token";
  const { seen, base } = await serve((response, { headers }) =>
    response.writeHead(headers.authorization === "Bearer new-token" ? 200 : 401).end("done"),
  );
  const tokens: AccessTokens = {
    current: async () => current,
    refresh: async () => {
      current = current === "old-token" ? "new-token" : "worse-token";
      return current;
    },
  };
  const { http } = createTestIo({
    manifest: {
      ...manifestOf(),
      auth: {
        kind: "oauth2",
        authorizationUrl: () => base,
        tokenUrl: () => base,
        scopes: { read: [], write: [] },
        refreshTokens: "single-use",
        pkce: true,
      },
    },
    settings: { instanceUrl: base, token: "" },
    transport: plain,
    tokens,
  });
  expect((await http.send({ url: "x", method: "POST", json: {} })).text).toBe("done");
  expect(seen).toHaveLength(2);
  current = "revoked-token";
  expect(await failure(http.send({ url: "x" }))).toMatchObject({ recovery: "reauthorize" });
  expect(seen).toHaveLength(4);
});

test("no error contains a secret", async () => {
  const { base } = await serve((response) => response.writeHead(500).end(`your key ${secret} is bad`));
  for (const method of ["GET", "POST"] as const) {
    const error = await failure(httpFor(base).send({ url: `x?key=${encodeURIComponent(secret)}`, method }));
    const shown = inspect(error, { depth: 9 }) + JSON.stringify(error) + String(error.stack);
    for (const text of [secret, encodeURIComponent(secret)]) expect(shown).not.toContain(text);
  }
});

describe("files", () => {
  const megabyte = Buffer.alloc(1024 * 1024, "x");
  const sized = (megabytes: number) =>
    async function* () {
      for (let i = 0; i < megabytes; i += 1) yield megabyte;
    };

  test("are streamed to the tool, as a body or as a part", async () => {
    const { seen, base } = await serve((response) => response.end("ok"));
    const http = httpFor(base);
    const file = {
      name: 'a"b\r\n.bin',
      contentType: "image/png",
      size: 40 * megabyte.length,
      open: sized(40),
    };
    await http.send({ url: "x", method: "POST", file });
    await http.send({
      url: "x",
      method: "POST",
      parts: [
        { name: "note", content: "é" },
        { name: "f", content: file },
      ],
    });
    await http.send({ url: "x", method: "POST", file: { ...file, size: null } });
    expect(seen[0]).toMatchObject({ bytes: file.size, headers: { "content-type": "image/png" } });
    expect(seen[1]?.bytes).toBe(Number(seen[1]?.headers["content-length"]));
    expect(seen[2]?.headers["transfer-encoding"]).toBe("chunked");
  });

  test("are streamed from the tool", async () => {
    const { base } = await serve(async (response) => {
      response.writeHead(200, { "content-length": String(20 * megabyte.length) });
      for await (const chunk of sized(20)()) response.write(chunk);
      response.end();
    });
    const { size, body } = await httpFor(base).download({ url: "x" });
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.byteLength;
    expect([size, bytes]).toEqual([20 * megabyte.length, 20 * megabyte.length]);
  });
});

test("records exchanges without secrets and replays them", async () => {
  const { seen, base } = await serve((response, { url }) => {
    response.setHeader("set-cookie", "sid=private");
    response.end(
      url === "/bytes"
        ? Buffer.from([0xff, 0x00, 0xfe])
        : JSON.stringify({ n: seen.length, echo: secret, access_token: "fresh" }),
    );
  });
  const kept: Exchange[] = [];
  const recording = httpFor(base, {
    transport: recordExchanges(
      plain,
      () => [secret],
      (each) => kept.push(each),
    ),
  });
  const calls: HttpRequest[] = [
    { url: "a", query: { token: secret } },
    { url: "a", query: { token: secret } },
    { url: "b", method: "POST", json: { password: "hunter2", text: `say ${secret}` } },
    { url: "bytes" },
  ];
  const first: unknown[] = [];
  for (const call of calls) first.push((await recording.send(call)).text);
  const written = JSON.stringify(kept);
  for (const text of [secret, encodeURIComponent(secret), "hunter2", "sid=private", "fresh"])
    expect(written).not.toContain(text);
  const replayed = httpFor(base, {
    transport: replayExchanges(JSON.parse(written) as Exchange[], () => [secret]),
  });
  const again: unknown[] = [];
  for (const call of calls) again.push((await replayed.send(call)).text);
  expect(again.map(String)).toEqual(
    first.map((text) => String(text).replaceAll(secret, "[secret]").replace("fresh", "[secret]")),
  );
  expect(seen).toHaveLength(4);
  await expect(replayed.send({ url: "never" })).rejects.toMatchObject({ code: "not_recorded" });
});

describe("answers that are hardly the tool's own", () => {
  test("a page instead of JSON, cut JSON, a redirect to a sign-in page, an odd status", async () => {
    const other = await serve((response) => response.end("x"));
    const answers: readonly ((response: ServerResponse) => void)[] = [
      (response) => response.end("<html>We are back soon.</html>"),
      (response) => response.end('{"issues": [{"id": 1}, {"i'),
      (response) => response.writeHead(302, { location: other.base }).end(),
      (response) => response.writeHead(418).end(),
    ];
    for (const answer of answers) {
      const { base } = await serve(answer);
      const error = await failure(
        httpFor(base)
          .send({ url: "x" })
          .then((sent) => sent.json()),
      );
      expect(isOddAnswer(error), String(error)).toBe(true);
    }
  });

  test("an expired certificate, but no refusal and no outage", () => {
    expect(isOddAnswer(transportError("Tool", "tls_failed", false, undefined))).toBe(true);
    for (const code of ["unreachable", "timed_out", "insecure", "refused_address"])
      expect(isOddAnswer(transportError("Tool", code, false, undefined))).toBe(false);
    expect(isOddAnswer({ code: "payment_required" })).toBe(false);
  });
});
