import fc from "fast-check";
import { hostileBody, jsonBody } from "./bodies.ts";
import { framingCase } from "./framing.ts";
import { idempotencyKey, oddHeader } from "./headers.ts";
import type { HttpCase } from "./http-case.ts";
import { protocolCase } from "./protocol.ts";
import { authorized, methodOf, one, plain, withLength } from "./request.ts";
import { oddIdTarget, plainTarget, strayTarget, type Target } from "./targets.ts";

/** Where imports are created. */
const creation: fc.Arbitrary<Target> = fc
  .constantFrom("/api/v2.1/imports", "/api/sandbox/imports", "/api/simulator/imports")
  .map((target) => ({ operation: "POST /imports" as const, target }));

/** Valid by the schema; about half of all requests. */
const schemaCase = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(creation, jsonBody, fc.option(idempotencyKey))
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

/** All cases, by their shares. */
export const httpCase: fc.Arbitrary<HttpCase> = fc.oneof(
  { weight: 500, arbitrary: schemaCase },
  {
    weight: 150,
    arbitrary: fc
      .tuple(creation, hostileBody, fc.option(idempotencyKey))
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
  { weight: 2, arbitrary: signInCase },
);
