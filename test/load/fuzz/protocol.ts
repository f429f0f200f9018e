import fc from "fast-check";
import { type HttpCase, placeholders } from "./http-case.ts";
import { authorized, type Headers, methodOf, one, withLength } from "./request.ts";
import { plainTarget } from "./targets.ts";

const repeat = (name: string, times: number): Headers =>
  Array.from({ length: times }, (_, index) => [`${name}-${index}`, "v"] as const);

/** Requests that no well-behaved client sends. */
export const protocolCase: fc.Arbitrary<HttpCase> = plainTarget.chain(({ operation, target }) => {
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
