import { statusCodes } from "@portage/contract";
import fc from "fast-check";
import { hostileText } from "./bodies.ts";
import { type OperationName, placeholders } from "./http-case.ts";

const operations: readonly OperationName[] = [
  "GET /tools",
  "POST /imports",
  "GET /imports",
  "GET /imports/{id}",
  "POST /imports/{id}/payment/accept",
  "POST /imports/{id}/payment/reject",
  "POST /imports/{id}/cancel",
  "GET /events",
  "GET /webhook-deliveries",
  "POST /webhook-deliveries/{id}/replay",
];

const base = fc.constantFrom("/api/v2.1", "/api/sandbox", "/api/simulator");

/** Percent-encoded, so that any text can be part of a URL. */
const encoded = hostileText.map((text) => encodeURIComponent(text.toWellFormed()));

const rightId = fc.oneof(
  { weight: 4, arbitrary: fc.constant<string>(placeholders.importId) },
  { weight: 2, arbitrary: fc.constant<string>(placeholders.simulationId) },
  { weight: 2, arbitrary: fc.constantFrom<string>(...statusCodes) },
);

const oddId = fc.oneof(
  fc.constantFrom(
    "imp_00000000000000000000000000",
    placeholders.importId.toUpperCase(),
    "imp_",
    "0",
    "-1",
    "null",
  ),
  fc.constantFrom("__proto__", "constructor", "toString", "%5F%5Fproto%5F%5F", "valueOf", "%00", "imp_%00"),
  fc.constantFrom(
    "%",
    "%zz",
    "%c3%28",
    "%ff",
    "%ED%A0%80",
    "%2e%2e",
    "%2F",
    "..%2f..",
    "%25",
    "a%20b",
    "*",
    ";x=1",
  ),
  encoded.filter((text) => text !== "" && text !== "." && text !== ".."),
  fc.integer({ min: 100, max: 6_000 }).map((length) => "i".repeat(length)),
);

const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  family: fc.constantFrom("helpdesk", "projects", "crm", "content", "HELPDESK", ""),
  destination_username: fc.oneof(
    fc.emailAddress().map(encodeURIComponent),
    fc.constantFrom("jo+x@y.z", "a%2Bb", "nobody@example.com"),
  ),
  limit: fc.constantFrom("1", "100", "0", "101", "-1", "1e1", "%31", "", "9".repeat(400)),
  cursor: fc.oneof(
    fc.constant(Buffer.from(placeholders.importId).toString("base64url")),
    fc.constantFrom("x", "%00", ""),
  ),
  after: fc.constantFrom("evt_00000000000000000000000000", "evt_", "x", ""),
};

const pair = fc.oneof(
  ...Object.entries(values).map(([name, value]) => value.map((text) => `${name}=${text}`)),
  fc.tuple(fc.constantFrom(...Object.keys(values)), encoded).map(([name, value]) => `${name}=${value}`),
  fc.constantFrom(
    "__proto__=1",
    "constructor=x",
    "a[b]=c",
    "limit",
    "=",
    "=x",
    "&",
    "%=1",
    "x=%",
    "x=%ff",
    "x=%ED%A0%80",
    "%00=1",
  ),
  encoded.map((text) => `${text}=1`),
);

/** None, some, or one of them twice. */
const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  {
    weight: 4,
    arbitrary: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => `?${pairs.join("&")}`),
  },
  { weight: 1, arbitrary: pair.map((each) => `?${each}&${each}`) },
  {
    weight: 2,
    arbitrary:
      values["destination_username"]?.map((name) => `?destination_username=${name}&limit=2`) ??
      fc.constant(""),
  },
);

export interface Target {
  readonly operation: OperationName;
  readonly target: string;
}

const on = (id: fc.Arbitrary<string>): fc.Arbitrary<Target> =>
  fc.tuple(base, fc.constantFrom(...operations), id, query).map(([prefix, operation, chosen, asked]) => ({
    operation,
    target: `${prefix}${operation.slice(operation.indexOf(" ") + 1).replace("{id}", () => chosen)}${asked}`,
  }));

export const plainTarget = on(rightId);
export const oddIdTarget = on(oddId);

/** Addresses that may or may not exist. */
export const strayTarget = fc.oneof(
  fc
    .tuple(
      base,
      fc.constantFrom(
        "",
        "/",
        "//tools",
        "/tools/",
        "/Tools",
        "/./tools",
        "/../v2.1/tools",
        "/%74ools",
        "/imports//",
        "/imports/a/b/c/d",
        "/tools#x",
        "/tools;a=b",
        "/imports/%2e%2e/tools",
        "/import",
        "/*",
      ),
    )
    .map(([prefix, path]) => prefix + path),
  fc.constantFrom(
    "/",
    "*",
    "/api",
    "/api/v2",
    "/api/v2.2/tools",
    "/api/v2x1/tools",
    "/API/v2.1/tools",
    "/healthz",
    "/docs/api",
    "/docs/api/changelog",
    "/favicon.ico",
  ),
  fc.constantFrom(
    "/imports/sample_completed/5a4d0b0c5a4d0b0c5a4d0b0c5a4d0b0c",
    `/imports/${placeholders.importId}/${placeholders.linkToken}`,
    `/imports/${placeholders.importId}/${placeholders.linkToken}%00`,
    `/imports/${placeholders.importId}/${"0".repeat(32)}`,
    `/imports/${placeholders.importId}/%ff`,
    "/imports/__proto__/x",
  ),
  fc.constantFrom(
    "http://127.0.0.1/api/v2.1/tools",
    "http://evil.example/api/sandbox/tools",
    "https://x:99999/api/v2.1/tools",
    "http://",
    "//evil.example/api/v2.1/tools",
    "api/v2.1/tools",
    "?x",
    "/api/v2.1/tools?",
    "/api/v2.1/tools??a=b",
  ),
  fc.integer({ min: 1_000, max: 12_000 }).map((length) => `/api/v2.1/${"p".repeat(length)}`),
  fc.integer({ min: 200, max: 3_000 }).map((length) => `/api/v2.1${"/".repeat(length)}tools`),
  encoded.map((text) => `/api/v2.1/${text}`),
);
