import fc from "fast-check";
import { hostileBody, hostileText } from "../fuzz/bodies.ts";

/** Whose secrets a request carries, and how. The sender is always an attacker; the target may be any import. */
export const credentials = [
  "link",
  "session",
  /** The sender's session under the cookie name of the target. */
  "session as the target's",
  "admin",
  "admin as the target's",
  "session, wrong CSRF",
  "session, no CSRF",
  "session, foreign page",
  "wrong link and session",
  "partner token",
  "garbage",
  "none",
] as const;

export type Credential = (typeof credentials)[number];

/** One request by numbers; the run turns them into the ids and secrets of its imports. */
export interface FuzzRequest {
  readonly route: number;
  readonly credential: Credential;
  readonly sender: number;
  /** Null: the sender's own import. */
  readonly target: number | null;
  /** The import whose ids fill other parameters and values of the body. */
  readonly about: number;
  readonly parameter: string;
  readonly query: string;
  /** Null: one that fits the route. */
  readonly body: string | null;
  readonly csrf: string;
}

const knownNames =
  "settings query side kind purpose mapping revision streams people email language importId id records stream range from to";
const names = fc.constantFrom(...knownNames.split(" "), "__proto__");

const anyObject = fc
  .dictionary(fc.oneof(names, hostileText), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
  .map((value) => JSON.stringify(value));

const parameter = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("source", "destination") },
  { weight: 2, arbitrary: fc.constant("ABOUT") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "connect",
      "tickets",
      "redmine",
      "main-0000.js",
      "0",
      "%00",
      "%ff",
      "..%2f..",
      "%2e%2e%2findex.html",
      "__proto__",
      "x".repeat(300),
    ),
  },
  {
    weight: 1,
    arbitrary: hostileText
      .map((text) => encodeURIComponent(text.toWellFormed()))
      .filter((text) => text !== "" && text !== "." && text !== ".."),
  },
);

const query = fc.oneof(
  { weight: 5, arbitrary: fc.constant("") },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            "stream",
            "kind",
            "cursor",
            "after",
            "limit",
            "page",
            "side",
            "state",
            "id",
            "code",
          ),
          fc.oneof(
            fc.constantFrom("tickets", "0", "-1", "1e9", "", "ABOUT", "STATE", "source", "%ff", "%00"),
            hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
          ),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((pairs) => `?${pairs.map((pair) => pair.join("=")).join("&")}`),
  },
);

const csrf = fc.oneof(
  fc.constantFrom("", "x", "a".repeat(43), `${"a".repeat(41)}é`, "é".repeat(43), `${"a".repeat(42)}\xff`),
  fc.string({ unit: "grapheme-ascii", minLength: 43, maxLength: 43 }).map((text) => text.trim()),
);

export const fuzzRequest = (routes: number, attackers: number, all: number): fc.Arbitrary<FuzzRequest> =>
  fc.record({
    route: fc.nat(routes - 1),
    credential: fc.constantFrom(...credentials),
    sender: fc.nat(attackers - 1),
    target: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: fc.nat(all - 1) }),
    about: fc.nat(all - 1),
    parameter,
    query,
    body: fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      { weight: 3, arbitrary: anyObject },
      { weight: 2, arbitrary: hostileBody },
    ),
    csrf,
  });
