import fc from "fast-check";
import { hostileBody, jsonBody } from "./bodies.ts";
import { type HttpCase, type Message, type OperationName, placeholders, render } from "./http-case.ts";
import { oddIdTarget, plainTarget, strayTarget, type Target } from "./targets.ts";

type Headers = Message["headers"];

const authorized: Headers = [
  ["Host", "portage.test"],
  ["Authorization", placeholders.authorization],
];
const methodOf = (operation: OperationName) => operation.slice(0, operation.indexOf(" "));
const withLength = (headers: Headers, body: string): Headers => [
  ...headers,
  ["Content-Length", String(body.length)],
];

const one = (
  kind: string,
  operation: OperationName | null,
  message: Message,
  more: Partial<HttpCase> = {},
): HttpCase => ({
  kind,
  operation,
  bytes: render(message),
  isHead: message.method === "HEAD",
  wanted: 1,
  halfClose: false,
  ...more,
});

const plain = (
  kind: string,
  { operation, target }: Target,
  body: string,
  headers: Headers = [],
): HttpCase => {
  const method = methodOf(operation);
  const sends = method === "POST" || body !== "";
  return one(kind, operation, {
    method,
    target,
    headers: sends ? withLength([...authorized, ...headers], body) : [...authorized, ...headers],
    ...(sends && { body }),
  });
};

const idempotencyKey = fc.oneof(
  fc.constantFrom(
    '"a"',
    "a",
    '""',
    "",
    '"',
    "x".repeat(255),
    "x".repeat(256),
    `"${"x".repeat(255)}"`,
    "\xe9\xff",
  ),
  fc.uuid(),
);
const contentType = fc.constantFrom(
  "application/json",
  "application/json;charset=utf-16",
  "APPLICATION/JSON ; x",
  "application/jsonx",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "",
  "/",
  "application/json, text/html",
  "application/json\xff",
);
const oddHeader = fc.oneof(
  contentType.map((value) => ["Content-Type", value] as const),
  idempotencyKey.map((value) => ["Idempotency-Key", value] as const),
  fc
    .constantFrom("gzip", "identity", "br, gzip", "", "\xff")
    .map((value) => ["Content-Encoding", value] as const),
  fc.constantFrom("100-continue", "200-ok", "", "100-continue, x").map((value) => ["Expect", value] as const),
  fc.constantFrom("h2c", "websocket", "TLS/1.0").map((value) => ["Upgrade", value] as const),
  fc
    .constantFrom("close", "keep-alive", "upgrade", "x, close", "")
    .map((value) => ["Connection", value] as const),
  fc
    .constantFrom("1.2.3.4", "::1", "'", "x".repeat(3_000), "\x80")
    .map((value) => ["X-Forwarded-For", value] as const),
  fc.constantFrom("mine", "a\tb", "x".repeat(5_000)).map((value) => ["X-Request-Id", value] as const),
  fc.constantFrom("GET", "DELETE").map((value) => ["X-HTTP-Method-Override", value] as const),
  fc
    .constantFrom(
      ["Accept", "text/html"],
      ["Accept", "\xff"],
      ["Range", "bytes=0-1"],
      ["If-None-Match", "*"],
      ["Host", "other.example"],
      ["__proto__", "x"],
      ["Origin", "http://evil.example"],
      ["Accept-Encoding", "gzip"],
      ["TE", "trailers"],
      ["Cookie", "a=b; __proto__=c"],
    )
    .map((pair) => [pair[0] as string, pair[1] as string] as const),
);

/** As the schema describes; about half of all that is sent. */
const schemaCase = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(base201(), jsonBody, fc.option(idempotencyKey))
      .map(([target, body, key]) =>
        plain("schema body", target, body, key === null ? [] : [["Idempotency-Key", key]]),
      ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(plainTarget, jsonBody)
      .map(([target, body]) =>
        plain("schema target", target, target.operation === "POST /imports" ? body : ""),
      ),
  },
);

function base201(): fc.Arbitrary<Target> {
  return fc
    .constantFrom("/api/v2.1/imports", "/api/sandbox/imports")
    .map((target) => ({ operation: "POST /imports" as const, target }));
}

const chunked = (body: string, size: number) => {
  const chunks = body.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("")}0\r\n\r\n`;
};

const post = (kind: string, headers: Headers, body: string, more: Partial<HttpCase> = {}): HttpCase =>
  one(
    kind,
    "POST /imports",
    { method: "POST", target: "/api/v2.1/imports", headers: [...authorized, ...headers], body },
    more,
  );

/** Lengths and chunks that lie, end early or go on. */
const framingCase: fc.Arbitrary<HttpCase> = fc
  .tuple(jsonBody, fc.integer({ min: 1, max: 60 }))
  .chain(([body, size]) =>
    fc.constantFrom<HttpCase>(
      post("chunked", [["Transfer-Encoding", "chunked"]], chunked(body, size)),
      post("chunked, odd sizes", [["Transfer-Encoding", "chunked"]], `zz\r\n${body}\r\n0\r\n\r\n`),
      post("chunked, cut", [["Transfer-Encoding", "chunked"]], chunked(body, size).slice(0, -7), {
        halfClose: true,
      }),
      post(
        "chunked, trailers",
        [
          ["Transfer-Encoding", "chunked"],
          ["Trailer", "Authorization"],
        ],
        `${chunked(body, size).slice(0, -2)}Authorization: Basic eA==\r\n\r\n`,
      ),
      post(
        "chunked, extension",
        [["Transfer-Encoding", "chunked"]],
        `${body.length.toString(16)};a="${"b".repeat(size * 40)}"\r\n${body}\r\n0\r\n\r\n`,
      ),
      post(
        "chunked and a length",
        [
          ["Transfer-Encoding", "chunked"],
          ["Content-Length", String(body.length)],
        ],
        chunked(body, size),
      ),
      post("other transfer encoding", [["Transfer-Encoding", "gzip, chunked"]], chunked(body, size)),
      post("unknown transfer encoding", [["Transfer-Encoding", "xchunked"]], body),
      post(
        "two lengths",
        [
          ["Content-Length", String(body.length)],
          ["Content-Length", String(body.length + 1)],
        ],
        body,
      ),
      post(
        "the same length twice",
        [
          ["Content-Length", String(body.length)],
          ["Content-Length", String(body.length)],
        ],
        body,
      ),
      post("bad length", [["Content-Length", "-1"]], body),
      post("hexadecimal length", [["Content-Length", "0x10"]], body),
      post("endless length", [["Content-Length", "99999999999999999999"]], body),
      post("body cut short", [["Content-Length", String(body.length + size)]], body, { halfClose: true }),
      post("body goes on", [["Content-Length", String(Math.max(0, body.length - size))]], body),
      post("no length", [], body),
    ),
  );

const repeat = (name: string, times: number): Headers =>
  Array.from({ length: times }, (_, index) => [`${name}-${index}`, "v"] as const);

/** Requests that a tidy client never writes. */
const protocolCase: fc.Arbitrary<HttpCase> = plainTarget.chain(({ operation, target }) => {
  const method = methodOf(operation);
  const get = { method: "GET", target: "/api/v2.1/tools", headers: authorized };
  const tools = "GET /tools" as const;
  const lines = (text: string, kind: string): HttpCase => ({
    ...one(kind, null, get),
    bytes: text,
    halfClose: true,
  });
  return fc.constantFrom<HttpCase>(
    one("HTTP/1.0", tools, { ...get, version: "HTTP/1.0" }),
    one("HTTP/1.0 without Host", tools, { ...get, version: "HTTP/1.0", headers: authorized.slice(1) }),
    one("no Host", tools, { ...get, headers: authorized.slice(1) }),
    one("two Hosts", tools, { ...get, headers: [["Host", "a"], ...authorized] }),
    one("odd Host", tools, { ...get, headers: [["Host", "a b/\\@:99999"], ...authorized.slice(1)] }),
    one("HTTP/1.2", null, { ...get, version: "HTTP/1.2" }),
    one("HTTP/2.0", null, {
      method: "PRI",
      target: "*",
      version: "HTTP/2.0",
      headers: [],
      body: "SM\r\n\r\n",
    }),
    one("HTTP/9.9", null, { ...get, version: "HTTP/9.9" }),
    one("no version", null, { ...get, version: "" }),
    one("huge header", null, { ...get, headers: [...authorized, ["X", "y".repeat(20_000)]] }),
    one("many headers", null, { ...get, headers: [...authorized, ...repeat("X", 1_200)] }),
    one("many small headers", tools, { ...get, headers: [...authorized, ...repeat("X", 300)] }),
    one("header with NUL", null, { ...get, headers: [...authorized, ["X", "a\0b"]] }),
    one("header without a name", null, { ...get, headers: [...authorized, ["", "x"]] }),
    one("space before the colon", null, { ...get, headers: [...authorized, ["X ", "x"]] }),
    one("folded header", null, { ...get, headers: [...authorized, ["X", "a\r\n b"]] }),
    one("bare CR", null, { ...get, headers: [...authorized, ["X", "a\rb"]] }),
    one("body on GET", tools, { ...get, headers: withLength(authorized, "{nonsense"), body: "{nonsense" }),
    one("body on GET, odd type", tools, {
      ...get,
      headers: withLength([...authorized, ["Content-Type", "image/png"]], "x"),
      body: "x",
    }),
    one("CONNECT", null, { ...get, method: "CONNECT", target: "evil.example:443" }),
    one("CONNECT a path", null, { ...get, method: "CONNECT" }),
    one("lower-case method", null, { ...get, method: "get" }),
    one("unknown method", null, { ...get, method: "FOO" }),
    one("endless method", null, { ...get, method: "G".repeat(5_000) }),
    ...["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "SEARCH", "M-SEARCH"].map(
      (other) => one(`method ${other}`, null, { ...get, method: other, target }),
    ),
    ...["PUT", "DELETE"].map((other) =>
      one(`${other} with a body`, null, {
        method: other,
        target,
        headers: withLength(authorized, "{}"),
        body: "{}",
      }),
    ),
    one("HEAD", method === "GET" ? operation : null, { ...get, method: "HEAD", target }),
    lines("GET /api/v2.1/tools\r\n\r\n", "HTTP/0.9"),
    lines("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "TLS on a plain port"),
    lines("\0".repeat(100), "zeros"),
    lines(
      `GET /api/v2.1/tools HTTP/1.1\nHost: x\nAuthorization: ${placeholders.authorization}\n\n`,
      "line feeds only",
    ),
    lines("GET  /api/v2.1/tools  HTTP/1.1\r\n\r\n", "double spaces"),
    lines("GET /api/v2.1/tools HTTP/1.1\r\nHost: x", "headers cut short"),
    lines("GET /a b/c HTTP/1.1\r\n\r\n", "space in the address"),
    lines("GET /\xff\xfe\x80 HTTP/1.1\r\nHost: x\r\n\r\n", "bytes in the address"),
  );
});

/** Several requests in one write; each gets its answer, in order. */
const pipelineCase = fc
  .array(fc.tuple(plainTarget, jsonBody), { minLength: 2, maxLength: 4 })
  .map((sent): HttpCase => {
    const messages = sent.map(
      ([target, body]) => plain("", target, methodOf(target.operation) === "POST" ? body : "").bytes,
    );
    return {
      ...one("pipelined", null, { method: "GET", target: "/", headers: [] }),
      bytes: messages.join(""),
      wanted: messages.length,
    };
  });

const brokenPipeline = fc
  .tuple(plainTarget, fc.constantFrom("nonsense\r\n\r\n", "GET / HTTP/1.1\r\nX\0: a\r\n\r\n"))
  .map(([target, after]): HttpCase => {
    const first = plain("", target, "");
    return {
      ...first,
      kind: "a good request, then nonsense",
      operation: null,
      bytes: first.bytes + after,
      wanted: 2,
    };
  });

const badAuthorization = fc.oneof(
  fc.constantFrom(
    "",
    "Basic",
    "Basic ",
    "Basic !!!",
    "Bearer x",
    "Basic Og==",
    "Basic eA==",
    "basic\teA==",
    "Basic AAAA AAAA",
    "Digest username=x",
    "Basic \xff",
    "Basic __proto__",
  ),
  fc
    .string({ unit: "grapheme-ascii", maxLength: 60 })
    .map((name) => `Basic ${Buffer.from(`${name}:`).toString("base64")}`),
  fc.constant(`Basic ${Buffer.from(`ptg_live_${"A".repeat(40)}:X`).toString("base64")}`),
);
const signInCase = fc.tuple(plainTarget, badAuthorization).map(([{ operation, target }, value]) =>
  one("sign-in", operation, {
    method: methodOf(operation),
    target,
    headers: [
      ["Host", "x"],
      ["Authorization", value],
      ["Content-Length", "0"],
    ],
  }),
);

/** All that is sent, in the shares in which it is sent. */
export const httpCase: fc.Arbitrary<HttpCase> = fc.oneof(
  { weight: 500, arbitrary: schemaCase },
  {
    weight: 150,
    arbitrary: fc
      .tuple(base201(), hostileBody, fc.option(idempotencyKey))
      .map(([target, body, key]) =>
        plain("hostile body", target, body, key === null ? [] : [["Idempotency-Key", key]]),
      ),
  },
  {
    weight: 80,
    arbitrary: oddIdTarget.map((target) => ({ ...plain("odd id", target, ""), operation: null })),
  },
  {
    weight: 50,
    arbitrary: fc
      .tuple(strayTarget, fc.constantFrom("GET", "POST", "HEAD", "DELETE"))
      .map(([target, method]) =>
        one("stray address", null, { method, target, headers: withLength(authorized, "") }),
      ),
  },
  {
    weight: 80,
    arbitrary: fc
      .tuple(plainTarget, fc.array(oddHeader, { minLength: 1, maxLength: 3 }), jsonBody)
      .map(([target, headers, body]) =>
        plain("odd header", target, methodOf(target.operation) === "POST" ? body : "", headers),
      ),
  },
  { weight: 60, arbitrary: framingCase },
  { weight: 50, arbitrary: protocolCase },
  { weight: 15, arbitrary: pipelineCase },
  { weight: 8, arbitrary: brokenPipeline },
  { weight: 5, arbitrary: signInCase },
);
