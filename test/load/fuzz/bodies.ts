import { families } from "@portage/contract";
import fc from "fast-check";
import { placeholders, utf8Bytes } from "./http-case.ts";

const oddNames = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "then",
  "",
  "\u0000",
];

/** Any text that JSON can express, including lone surrogates and control characters. */
export const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "\ud800",
    "a\udfff",
    "\u0000",
    "a\u0000b",
    " ",
    "\u00a0",
    "\u202e\u2066",
    "ﷺ".repeat(300),
    "𝔘".repeat(400),
  ),
  fc.constantFrom(
    ...oddNames,
    "'; drop table imports; --",
    "${jndi:ldap://x}",
    "../../etc/passwd",
    "%00",
    "{{7*7}}",
  ),
  fc.integer({ min: 250, max: 5_000 }).map((length) => "x".repeat(length)),
);

const wrongType = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(1e308, -0, Number.MAX_SAFE_INTEGER, [], {}, [null], { toString: "x" }, "true", 0),
);

const property = (right: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 40, arbitrary: right },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: hostileText },
    { weight: 1, arbitrary: wrongType },
  );

/** A body of the schema, sometimes with a property that violates its rule. */
const newImportObject = fc.record(
  {
    source_tool: property(fc.constantFrom("redmine", "request-tracker")),
    destination_instance_url: property(fc.webUrl()),
    destination_username: property(fc.emailAddress()),
    destination_token: property(fc.constant(placeholders.secret)),
    start_full: property(fc.boolean()),
    family: property(fc.constantFrom(...families)),
    reference: property(fc.string({ unit: "grapheme", maxLength: 60 })),
  },
  { requiredKeys: ["source_tool"] },
);

export const jsonBody = newImportObject.map((value) => utf8Bytes(JSON.stringify(value)));

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const deep = fc
  .constantFrom(100, 5_000, 10_000, 30_000)
  .chain((depth) =>
    fc.constantFrom(
      nested(depth, "[", "]"),
      `{"source_tool":"redmine","x":${nested(depth, "[", "]")}}`,
      `{"source_tool":${nested(depth, "[", "]")}}`,
      `{"source_tool":"redmine","reference":${nested(Math.min(depth, 9_000), '{"a":', "")}1${"}".repeat(Math.min(depth, 9_000))}}`,
    ),
  );

const sized = (bytes: number) => `{"source_tool":"redmine","x":"${"y".repeat(bytes - 31)}"}`;

/** Bytes that are no well-formed JSON object. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  // truncated at any byte
  fc
    .tuple(jsonBody, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([body, share]) => body.slice(0, Math.floor(body.length * share))),
  fc
    .tuple(jsonBody, fc.constantFrom("}", ",", "x", "\u0000", "{}", " \n\t "))
    .map(([body, after]) => body + after),
  // other values and other texts
  fc.jsonValue().map((value) => utf8Bytes(JSON.stringify(value))),
  fc.constantFrom(
    "",
    " ",
    "null",
    "true",
    "0",
    '""',
    "[]",
    "{}",
    "NaN",
    "{'a':1}",
    "{source_tool:1}",
    '{"a":1e999}',
    "\u0000",
  ),
  deep,
  // the same key twice, names that objects inherit
  fc
    .tuple(hostileText, hostileText)
    .map(([a, b]) => utf8Bytes(`{"source_tool":${JSON.stringify(a)},"source_tool":${JSON.stringify(b)}}`)),
  fc
    .tuple(fc.constantFrom(...oddNames), fc.jsonValue({ maxDepth: 1 }))
    .map(([name, value]) =>
      utf8Bytes(
        `{"source_tool":"redmine",${JSON.stringify(name)}:${JSON.stringify(value)},"${placeholders.secret}":1}`,
      ),
    ),
  fc.constant('{"__proto__":{"source_tool":"redmine","start_full":true}}'),
  // lone surrogates, escaped and as bytes; other encodings; a byte order mark
  fc.constantFrom(
    '{"source_tool":"redmine","reference":"\\ud800"}',
    '{"source_tool":"redmine","destination_username":"\\udfff\\ud800"}',
    '{"source_tool":"redmine","destination_token":"a\\u0000b"}',
    '{"source_tool":"redmine","reference":"\xed\xa0\x80"}',
    '{"source_tool":"\xff\xfe"}',
    '{"source_tool":"redmine","reference":"\xc0\x80\xf5"}',
    '\xef\xbb\xbf{"source_tool":"redmine"}',
    Buffer.from('{"source_tool":"redmine"}', "utf16le").toString("latin1"),
    `\xff\xfe${Buffer.from('{"source_tool":"redmine"}', "utf16le").toString("latin1")}`,
  ),
  // around the limit of 64 KiB
  fc.constantFrom(65_535, 65_536, 65_537, 70_000, 300_000).map(sized),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);
