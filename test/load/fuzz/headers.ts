import fc from "fast-check";

export const idempotencyKey = fc.oneof(
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
export const oddHeader = fc.oneof(
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
