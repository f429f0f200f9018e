import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { givenPartner } from "../../../test/support/fixtures.ts";
import { createProgram } from "../../../test/support/program.ts";
import { isClassic } from "../../../test/support/verify-by-contract.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/support/webhook-receiver.ts";
import { createWebhooks, webhookTimes, writeTestEvent } from "../features/webhooks/index.ts";
import { createLog } from "../platform/log.ts";
import { createOutbound, type Outbound } from "../platform/outbound/index.ts";
import { createSealer } from "../platform/seal.ts";
import { readPart } from "./config.ts";

let db: TestDatabase;
let receiver: WebhookReceiver;
let outbound: Outbound;
let env: Record<string, string>;
beforeAll(async () => {
  [db, receiver] = await Promise.all([createTestDatabase(), startWebhookReceiver()]);
  outbound = createOutbound({ allow: [receiver.host] });
  env = {
    DATABASE_URL: db.url,
    WEBHOOK_ALLOW: receiver.host,
    PORTAGE_KEYS: `test:${randomBytes(32).toString("base64")}`,
  };
});
afterAll(async () => {
  await outbound.close();
  await receiver.close();
  await db.drop();
});

interface Shown {
  readonly url: string;
  readonly secret?: string;
  readonly events: readonly string[] | null;
  readonly ordered: boolean;
  readonly old_secret_until: string | null;
  readonly disabled_because: string | null;
  readonly warning: string | null;
}

const { withStdin, run, json } = createProgram(() => env);

const webhook = (...words: readonly string[]) => json<Shown>("webhook", ...words);

/** Delivers due webhooks as a worker does. */
const deliver = async () => {
  const sealer = createSealer(readPart(["PORTAGE_KEYS"], env).PORTAGE_KEYS);
  const webhooks = createWebhooks({
    db,
    sealer,
    outbound,
    log: createLog("silent"),
    times: webhookTimes(),
    perPartner: 16,
  });
  for (const taken of await webhooks.takeDue(10)) await webhooks.deliver(taken);
};

test("a tool's allowed address is no receiver's: partners choose these", async () => {
  const { partner } = await givenPartner(db);
  const toTool = createProgram(() => ({ ...env, WEBHOOK_ALLOW: "", OUTBOUND_ALLOW: receiver.host }));
  const refused = await toTool.run("webhook", "set", partner.id, "--url", `${receiver.url}/tool`);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("WEBHOOK_ALLOW");
});

test("sets an endpoint, shows its secret once, updates it without a new secret, and rotates the secret", async () => {
  const { partner } = await givenPartner(db);
  const url = `${receiver.url}/set`;
  const made = await webhook("set", partner.id, "--url", url);
  expect(made).toMatchObject({
    url,
    events: null,
    ordered: true,
    progress: false,
    secret: expect.stringMatching(/^whsec_.{44}$/),
  });
  const changed = await webhook("set", partner.id, "--no-ordered", "--event", "import.closed", "--progress");
  expect(changed).toMatchObject({ url, events: ["import.closed"], ordered: false, progress: true });
  expect(changed.secret).toBeUndefined();
  const rotated = await webhook("rotate", partner.id);
  expect(rotated.secret).not.toBe(made.secret);
  const hours = (new Date(rotated.old_secret_until ?? 0).getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  const again = await run("webhook", "rotate", partner.id);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("--immediately")]);
  expect(await webhook("rotate", partner.id, "--immediately")).toMatchObject({ old_secret_until: null });
  const shown = await run("webhook", "show", partner.id);
  expect(shown.stdout).not.toContain("whsec_");
  expect(await json("webhook", "list")).toMatchObject({
    webhooks: expect.arrayContaining([expect.objectContaining({ partner_id: partner.id })]),
  });
});

test("an existing secret from stdin signs and is never shown", async () => {
  const { partner } = await givenPartner(db);
  const { code, stdout, stderr } = await withStdin(
    "the old secret\n",
    "webhook",
    "set",
    partner.id,
    "--url",
    `${receiver.url}/old`,
    "--secret-stdin",
  );
  expect([code, stdout.includes("the old secret"), stderr]).toEqual([0, false, ""]);
  await writeTestEvent(db, partner.id);
  await deliver();
  const [received] = receiver.at("/old");
  expect(received && isClassic("the old secret", received)).toBe(true);
});

test.each([
  ["http://10.0.0.1/hook", "not a public address"],
  ["https://127.0.0.1/hook", "not a public address"],
  ["http://hooks.acme.example/hook", "https"],
  ["ftp://hooks.acme.example/hook", "https://"],
])("set rejects %s", async (url, words) => {
  const { partner } = await givenPartner(db);
  const { code, stderr } = await run("webhook", "set", partner.id, "--url", url);
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test("test, show, replay, disable and enable", async () => {
  const { partner } = await givenPartner(db);
  await webhook("set", partner.id, "--url", `${receiver.url}/all`);
  const testing = json<{ event_id: string; state: string }>("webhook", "test", partner.id);
  for (let i = 0; i < 200 && receiver.at("/all").length === 0; i++) {
    await deliver();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { event_id: event, state } = await testing;
  expect(state).toBe("delivered");
  expect(await json("webhook", "show", partner.id, "--event", event)).toMatchObject({
    deliveries: [{ event_id: event, type: "webhook.test", attempts: [{ status: 200, error: null }] }],
  });
  expect(await json("webhook", "replay", partner.id, "--event", event)).toMatchObject({
    state: "replayed",
  });
  await deliver();
  expect(receiver.at("/all")).toHaveLength(2);
  expect(await webhook("disable", partner.id)).toMatchObject({ disabled_because: "operator" });
  expect((await run("partner", "show", partner.id)).stdout).toContain("the operator disabled it");
  for (const words of [
    ["test", partner.id],
    ["replay", partner.id, "--event", event],
    ["replay", partner.id, "--since", "2026-01-01T00:00:00Z"],
  ]) {
    const { code, stderr } = await run("webhook", ...words);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The endpoint is disabled since .+: the operator disabled it\.\nRun: .+ enable/),
    ]);
  }
  expect(await webhook("enable", partner.id)).toMatchObject({ disabled_because: null, warning: null });
  const range = await json("webhook", "replay", partner.id, "--since", "2026-01-01T00:00:00Z");
  expect(range).toEqual({ replayed: 0 }); // a test event belongs to no import
  expect((await run("webhook", "replay", partner.id)).code).toBe(2);
});

test("a partner without an endpoint: the error says how to set one", async () => {
  const { partner } = await givenPartner(db);
  const { code, stderr } = await run("webhook", "show", partner.id);
  expect([code, stderr]).toEqual([1, expect.stringContaining("portage webhook set")]);
});
