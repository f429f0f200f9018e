import { createHmac } from "node:crypto";
import { signatureHeaders } from "@portage/contract/signing";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { verifyWebhook, type VerifiedWebhook, type WebhookMessage } from "./verify-webhook.ts";
import { WebhookError } from "./webhook-error.ts";

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString("base64")}`;
const one = secretOf("a");
const two = secretOf("b");
const three = secretOf("c");
const old = "an old secret, ünprefixed";
const now = 1_708_989_523_402;

const eventBody = (change: object = {}) =>
  JSON.stringify({
    event_id: "evt_00000000000000000000000001",
    type: "import.status_changed",
    id: "imp_00000000000000000000000001",
    token: "0".repeat(32),
    status_code: "sample_completed",
    status: "Sample migration completed",
    previous_status: "Sample migration in progress",
    family: "helpdesk",
    reference: "Bücher – 42",
    items: { tickets: 20 },
    users: { source_tool: 5, destination_tool: 4, matched: 3 },
    timestamp: now,
    ...change,
  });

interface Sent {
  readonly secrets?: readonly [string, ...string[]];
  readonly body?: string;
  readonly id?: string;
  readonly sentAt?: number;
}

/** Signs as the service does. */
const signed = ({
  secrets = [one],
  body = eventBody(),
  id = "evt_00000000000000000000000001",
  sentAt = now,
}: Sent = {}): { body: string; headers: Record<string, string> } => ({
  body,
  headers: signatureHeaders({ secrets, id, timestampSeconds: Math.floor(sentAt / 1000), content: body }),
});

const without = (message: ReturnType<typeof signed>, ...names: string[]) => ({
  ...message,
  headers: Object.fromEntries(Object.entries(message.headers).filter(([name]) => !names.includes(name))),
});
const classicHeader = "x-authorization-content-sha256";

const outcomeOf = async (message: Partial<WebhookMessage>) =>
  verifyWebhook({ secrets: one, now, body: "", headers: {}, ...message }).then(
    ({ schemes }: VerifiedWebhook) => schemes.join("+"),
    (error: unknown) => (error instanceof WebhookError ? error.reason : error),
  );

test("reads a message of the service, whose two signatures match", async () => {
  const { event, schemes } = await verifyWebhook({ ...signed(), secrets: one, now });
  expect(schemes).toEqual(["standard", "classic"]);
  if (event.type !== "import.status_changed") throw new Error(event.type);
  expect(event).toMatchObject({ reference: "Bücher – 42", previous_status: "Sample migration in progress" });
});

test("accepts a signature of the Standard Webhooks library", async () => {
  const body = eventBody();
  const signature = new Webhook(one).sign("evt_00000000000000000000000001", new Date(now), body);
  const headers = {
    "webhook-id": "evt_00000000000000000000000001",
    "webhook-timestamp": String(Math.floor(now / 1000)),
    "webhook-signature": signature,
  };
  expect(await outcomeOf({ body, headers })).toBe("standard");
});

test("the classic key is the whole secret as text; the standard key is its decoded value", async () => {
  const body = eventBody();
  const hmac = (key: string | Buffer) => createHmac("sha256", key).update(body).digest("hex");
  expect(await outcomeOf({ body, headers: { [classicHeader]: hmac(one) } })).toBe("classic");
  const decoded = Buffer.from(one.slice(6), "base64");
  expect(await outcomeOf({ body, headers: { [classicHeader]: hmac(decoded) } })).toBe("wrong_signature");
});

test("the key of an old secret without the prefix is its UTF-8 bytes in both schemes", async () => {
  expect(await outcomeOf({ ...signed({ secrets: [old] }), secrets: old })).toBe("standard+classic");
});

describe("during a rotation of the secret", () => {
  const message = signed({ secrets: [one, two] });
  test.each([
    ["the old one alone", [one], "standard+classic"],
    ["both", [two, one], "standard+classic"],
    ["the new one alone", [two], "standard"],
    ["an old one without prefix, too", [old, two], "standard"],
    ["another's", [three], "wrong_signature"],
  ])("a receiver that knows %s", async (_, secrets, expected) => {
    expect(await outcomeOf({ ...message, secrets })).toBe(expected);
  });
});

test("accepts one scheme alone, and refuses none", async () => {
  expect(await outcomeOf(without(signed(), classicHeader))).toBe("standard");
  expect(await outcomeOf(without(signed(), "webhook-id", "webhook-timestamp", "webhook-signature"))).toBe(
    "classic",
  );
  expect(await outcomeOf(without(signed(), classicHeader, "webhook-signature"))).toBe("no_signature");
  expect(await outcomeOf(without(signed(), classicHeader, "webhook-id"))).toBe("wrong_signature");
  expect(await outcomeOf(without(signed(), classicHeader, "webhook-timestamp"))).toBe("wrong_signature");
});

describe("age", () => {
  const at = (sentAt: number, stampedAt = sentAt) =>
    signed({ sentAt, body: eventBody({ timestamp: stampedAt }) });
  const minutes = 60_000;
  test.each([
    ["just sent", at(now), "standard+classic"],
    ["5 minutes ago", at(now - (now % 1000) - 5 * minutes + 1000), "standard+classic"],
    ["5 minutes and a second ago", at(now - 5 * minutes - 1000), "too_old"],
    ["in 4 minutes", at(now + 4 * minutes), "standard+classic"],
    ["in 6 minutes", at(now + 6 * minutes), "too_new"],
    ["a fresh header around an old body", at(now, now - 6 * minutes), "too_old"],
    ["an old header around a fresh body", at(now - 6 * minutes, now), "too_old"],
    ["a header of the future around a fresh body", at(now + 6 * minutes, now), "too_new"],
  ])("%s", async (_, message, expected) => {
    expect(await outcomeOf(message)).toBe(expected);
  });

  test("only the body's time counts without a standard signature", async () => {
    const bare = (sentAt: number) =>
      without(at(sentAt), "webhook-id", "webhook-timestamp", "webhook-signature");
    expect(await outcomeOf(bare(now))).toBe("classic");
    expect(await outcomeOf(bare(now - 6 * minutes))).toBe("too_old");
  });

  test("can be set, and is the clock's by default", async () => {
    expect(await outcomeOf({ ...at(now - 30_000), toleranceSeconds: 10 })).toBe("too_old");
    expect(await outcomeOf({ ...at(now - 30 * minutes), toleranceSeconds: 3_600 })).toBe("standard+classic");
    expect(await outcomeOf({ ...at(Date.now()), now: undefined })).toBe("standard+classic");
    expect(await outcomeOf({ ...at(now), now: undefined })).toBe("too_old");
  });
});

test("detects any change of the body or of the other signed values", async () => {
  const message = signed();
  const bytes = Buffer.from(message.body);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ flip;
      expect(await outcomeOf({ ...message, body: altered })).toBe("wrong_signature");
    }),
  );
  const standardOnly = without(message, classicHeader);
  for (const [name, value] of [
    ["webhook-id", "evt_00000000000000000000000002"],
    ["webhook-timestamp", String(Math.floor(now / 1000) + 1)],
    ["webhook-signature", "v1,"],
    ["webhook-signature", message.headers["webhook-signature"]?.replace("v1,", "v2,")],
    ["webhook-signature", message.headers["webhook-signature"]?.slice(0, -4)],
  ] as const)
    expect(await outcomeOf({ ...standardOnly, headers: { ...standardOnly.headers, [name]: value } })).toBe(
      "wrong_signature",
    );
  // The classic signature does not cover these, so it can't prove them.
  for (const [name, value] of [
    ["webhook-id", "evt_00000000000000000000000002"],
    ["webhook-timestamp", "soon"],
  ] as const)
    expect(await outcomeOf({ ...message, headers: { ...message.headers, [name]: value } })).toBe(
      "wrong_signature",
    );
  for (const value of ["", "zz".repeat(32), "00".repeat(32), message.headers[classicHeader]?.slice(2)])
    expect(await outcomeOf({ body: message.body, headers: { [classicHeader]: value } })).toBe(
      "wrong_signature",
    );
});

test("no header text causes any other error", async () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constant(undefined));
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (id, timestamp, standard, classic) => {
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": standard,
        [classicHeader]: classic,
      };
      expect(await outcomeOf({ body: eventBody(), headers })).toBe(
        standard === undefined && classic === undefined ? "no_signature" : "wrong_signature",
      );
    }),
  );
});

test.each([
  ["a call to a destination", '{"call":"write","timestamp":1708989523402}'],
  ["no JSON", "hello"],
  ["null", "null"],
  ["an event without time", eventBody({ timestamp: null })],
  ["an event with a text for a time", eventBody({ timestamp: "1708989523402" })],
])("%s with a valid signature is not an event", async (_, body) => {
  expect(await outcomeOf(signed({ body }))).toBe("not_an_event");
});

test("reads an event of an unknown type", async () => {
  expect(await outcomeOf(signed({ body: eventBody({ type: "import.new_thing" }) }))).toBe("standard+classic");
});

test("accepts bodies and headers in every form that servers use", async () => {
  const { body, headers } = signed();
  const bytes = new TextEncoder().encode(body);
  const padded = new Uint8Array(bytes.length + 8);
  padded.set(bytes, 4);
  const { runInNewContext } = await import("node:vm");
  const foreign = runInNewContext("new Uint8Array(bytes).buffer", { bytes }) as ArrayBuffer;
  for (const form of [Buffer.from(body), bytes, bytes.buffer, padded.subarray(4, -4), foreign])
    expect(await outcomeOf({ headers, body: form })).toBe("standard+classic");
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const form of [new Headers(headers), shouted, new Map(Object.entries(headers)) as never])
    expect(await outcomeOf({ body, headers: form })).toBe("standard+classic");
});

describe("throws a TypeError for a wrong call instead of accepting or refusing the message", () => {
  const message = signed();
  test.each([
    ["a parsed body", { ...message, body: JSON.parse(message.body) as never }],
    ["no body", { ...message, body: undefined as never }],
    ["no secret", { ...message, secrets: [] }],
    ["a missing secret", { ...message, secrets: undefined as never }],
    ["one of two secrets missing", { ...message, secrets: [one, undefined as never] }],
    ["an empty secret", { ...message, secrets: "" }],
    ["a prefix alone", { ...message, secrets: "whsec_" }],
    ["a prefix before invalid base64", { ...message, secrets: "whsec_???" }],
    ["a tolerance that is not a number", { ...message, toleranceSeconds: Number.NaN }],
    ["a negative tolerance", { ...message, toleranceSeconds: -1 }],
    ["a time that is not a number", { ...message, now: Number.NaN }],
  ])("%s", async (_, wrong) => {
    expect(await outcomeOf(wrong)).toBeInstanceOf(TypeError);
  });
});

test("hashes the body once per secret, however many signatures there are", async () => {
  const { body, headers } = signed();
  const junk = `v1,${Buffer.alloc(32).toString("base64")}`;
  const many = `${Array.from({ length: 300 }, () => junk).join(" ")} ${headers["webhook-signature"]}`;
  const { subtle } = crypto;
  let hashed = 0;
  const sign = subtle.sign.bind(subtle);
  subtle.sign = async (...args) => {
    hashed += 1;
    return sign(...args);
  };
  try {
    expect(
      await outcomeOf({ body, headers: { ...headers, "webhook-signature": many }, secrets: [two, one] }),
    ).toBe("standard+classic");
  } finally {
    Reflect.deleteProperty(subtle, "sign");
  }
  expect(hashed).toBe(4);
});
