import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { givenCheckout, givenQuote } from "../../../test/stripe/given-checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/database.ts";
import { givenPartner } from "../../../test/support/fixtures.ts";
import { createProgram } from "../../../test/support/program.ts";
import { createManual } from "../features/payment-providers/index.ts";
import { reissueLink } from "../features/imports/index.ts";
import { createSealer } from "../platform/seal.ts";
import { readPart } from "./config.ts";

let db: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  db = await createTestDatabase();
  env = {
    DATABASE_URL: db.url,
    PORTAGE_KEYS: `test:${randomBytes(32).toString("base64")}`,
    WEBHOOK_ALLOW: "127.0.0.1:9",
    PUBLIC_URL: "https://portage.example",
  };
});
afterAll(() => db.drop());

const { withStdin, run, json, give } = createProgram(() => env);

interface Entry {
  readonly action: string;
  readonly target: string | null;
  readonly targetId: string | null;
  readonly reason: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/** What a command on the database left in the staff's audit log. */
const logged = async (work: () => Promise<unknown>): Promise<readonly Entry[]> => {
  const { rows: before } = await db.pool.query<{ seq: string }>(
    "select coalesce(max(seq), 0) as seq from staff_audit",
  );
  await work();
  const { rows } = await db.pool.query<Entry>(
    `select action, target, target_id as "targetId", reason, before, after from staff_audit
     where seq > $1 and machine_user is not null and staff_id is null and changes and outcome = 'done' order by seq`,
    [before[0]?.seq],
  );
  return rows;
};

test("webhooks: every change, with how the endpoint was and is; no secret", async () => {
  const { partner } = await givenPartner(db);
  const { id } = partner;
  const about = { target: "webhook", targetId: id };
  const made = await logged(() => json("webhook", "set", id, "--url", "http://127.0.0.1:9/a"));
  expect(made).toMatchObject([
    { ...about, action: "setWebhook", before: null, after: { url: "http://127.0.0.1:9/a" } },
  ]);
  expect(await logged(() => json("webhook", "disable", id))).toMatchObject([
    {
      ...about,
      action: "disableWebhook",
      before: { disabled_at: null },
      after: { disabled_because: "operator" },
    },
  ]);
  expect(await logged(() => json("webhook", "enable", id))).toMatchObject([
    {
      ...about,
      action: "enableWebhook",
      before: { disabled_because: "operator" },
      after: { disabled_at: null },
    },
  ]);
  const rotated = await logged(() => json("webhook", "rotate", id));
  expect(rotated).toMatchObject([{ ...about, action: "rotateWebhookSecret" }]);
  expect(JSON.stringify([made, rotated])).not.toContain("whsec_");
  expect(await logged(() => json("webhook", "replay", id, "--since", "2026-01-01T00:00:00Z"))).toMatchObject([
    { ...about, action: "replayEvents", after: { replayed: 0 } },
  ]);
  // Refused: nothing changed, and nothing is in the log.
  expect(await logged(() => run("webhook", "rotate", id))).toEqual([]);
  expect(await logged(() => json("webhook", "show", id))).toEqual([]);
});

test("tools: on and off, and OAuth clients without their secrets", async () => {
  const about = { target: "tool", targetId: "redmine" };
  expect(await logged(() => json("tool", "disable", "redmine"))).toMatchObject([
    { ...about, action: "disableTool", before: { enabled: true }, after: { enabled: false } },
  ]);
  expect(await logged(() => json("tool", "enable", "redmine"))).toMatchObject([
    { ...about, action: "enableTool", before: { enabled: false }, after: { enabled: true } },
  ]);
  const set = await logged(() =>
    withStdin(
      "top-secret",
      "tool",
      "set-oauth-client",
      "zendesk",
      "--client-id",
      "c1",
      "--origin",
      "https://acme.example",
    ),
  );
  expect(set).toMatchObject([
    {
      action: "setOAuthClient",
      before: { oauth_clients: [] },
      after: { oauth_clients: [{ origin: "https://acme.example", client_id: "c1" }] },
    },
  ]);
  expect(JSON.stringify(set)).not.toContain("top-secret");
  expect(await logged(() => json("tool", "clear-oauth-client", "zendesk"))).toMatchObject([
    { action: "clearOAuthClient", after: { oauth_clients: [] } },
  ]);
  expect(await logged(() => json("tool", "show", "redmine"))).toEqual([]);
});

test("billing: price books, sponsor rules, payments and refunds", async () => {
  const sealer = createSealer(readPart(["PORTAGE_KEYS"], env).PORTAGE_KEYS);
  const book = {
    currency: "usd",
    packages: [{ id: "large", name: "Large", upToRecords: null, amount: 79_000 }],
    quoteDays: 14,
    refundDays: 30,
  };
  const { partner } = await givenPartner(db);
  expect(await logged(() => give(book, "billing", "book", "set", "--partner", partner.id))).toMatchObject([
    {
      action: "setPriceBook",
      target: "price_book",
      before: null,
      after: { currency: "usd" },
    },
  ]);
  expect(
    await logged(() => give({ ...book, quoteDays: 20 }, "billing", "book", "set", "--partner", partner.id)),
  ).toMatchObject([{ action: "setPriceBook", before: { quote_days: 14 }, after: { quote_days: 20 } }]);
  const rules = { rules: [{ name: "small", upToRecords: 100 }], monthlyBudget: null, currency: "usd" };
  expect(await logged(() => give(rules, "billing", "sponsor-rules", "set", partner.id))).toMatchObject([
    { action: "setSponsorRules", targetId: partner.id, before: null, after: { currency: "usd" } },
  ]);
  const quoted = await givenQuote(db, sealer);
  await reissueLink(db, sealer, quoted.importId);
  await givenCheckout(db, createManual(), quoted);
  const about = { target: "import", targetId: quoted.importId };
  expect(await logged(() => json("billing", "mark-paid", quoted.importId))).toMatchObject([
    { ...about, action: "markPaid", before: { state: "open" }, after: { settled: "bought" } },
  ]);
  expect(await logged(() => json("billing", "mark-paid", quoted.importId))).toEqual([]);
  expect(await logged(() => json("billing", "refund", quoted.importId))).toMatchObject([
    { ...about, action: "refund", before: { refunds: [] }, after: { refunds: [{ reason: "operator" }] } },
  ]);
});

test("a loss that is declared", async () => {
  expect(await logged(() => json("recover"))).toMatchObject([
    { action: "recover", target: "system", targetId: "recover", before: null, after: { runs: 0, events: 0 } },
  ]);
});

test("keys, retention and erasures", async () => {
  expect(await logged(() => json("keys", "rotate"))).toMatchObject([
    { action: "rotateKeys", target: "system", targetId: "keys", after: { current_key: "test" } },
  ]);
  expect(await logged(() => json("retention", "run"))).toMatchObject([
    { action: "runRetention", target: "system", targetId: "retention", after: { archived_imports: 0 } },
  ]);
  const { importId } = await givenQuote(db, createSealer(readPart(["PORTAGE_KEYS"], env).PORTAGE_KEYS));
  await db.pool.query("update imports set link_token = '' where id = $1", [importId]);
  expect(await logged(() => run("import", "erase", importId))).toEqual([]);
  await json("import", "cancel", importId);
  const about = { action: "eraseImport", target: "import", targetId: importId };
  expect(await logged(() => run("import", "erase", importId))).toMatchObject([about]);
  const other = await givenQuote(db, createSealer(readPart(["PORTAGE_KEYS"], env).PORTAGE_KEYS));
  await db.pool.query("update imports set link_token = '', username_key = 'jo' where id = $1", [
    other.importId,
  ]);
  await json("import", "cancel", other.importId);
  const erase = ["import", "erase", "--destination-username", "jo", "--reason", "asked by mail"] as const;
  expect(await logged(() => run(...erase))).toMatchObject([
    {
      action: "eraseCustomer",
      target: "system",
      reason: "asked by mail",
      after: { erased: [other.importId] },
    },
    { action: "eraseCustomer", target: "import", targetId: other.importId, reason: "asked by mail" },
  ]);
});
