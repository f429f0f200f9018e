import fc from "fast-check";
import { jsonBody } from "./bodies.ts";
import type { HttpCase } from "./http-case.ts";
import { authorized, type Headers, one } from "./request.ts";

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

/** Lengths and chunks that are wrong, end early or continue. */
export const framingCase: fc.Arbitrary<HttpCase> = fc
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
