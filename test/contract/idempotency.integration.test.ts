import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ToolCheck } from "../../server/src/features/connections/index.ts";
import { bothBases, live, sandbox, useApi } from "./api.ts";

const slowCheck: ToolCheck = async () => {
  await sleep(400);
  return { kind: "accepted", account: { signInName: "jo", accountName: "Acme", accountId: "acme" } };
};
const api = useApi({ toolChecks: new Map([["redmine", slowCheck]]) });
const body = { source_tool: "request-tracker" };
const slowBody = { ...body, destination_instance_url: "https://r.acme.example", destination_token: "t" };

const post = (token: string, key: string | string[], sent: object = body, base = live) =>
  api.ask({
    method: "POST",
    path: `${base}/imports`,
    token,
    body: sent,
    headers: { "idempotency-key": key },
  });

const countImports = async (partnerId: string) =>
  (
    await api.db.pool.query<{ n: number }>("select count(*)::int as n from imports where partner_id = $1", [
      partnerId,
    ])
  ).rows[0]?.n;

test("the same key and body return the first answer, and create one import", async () => {
  const { token, partner } = await api.partner();
  const first = await post(token, "order-1");
  const second = await post(token, "order-1");
  expect(first.status).toBe(201);
  expect(second.status).toBe(201);
  expect(second.text).toBe(first.text);
  expect(await countImports(partner.id)).toBe(1);
});

test("quoted and bare are the same key", async () => {
  const { token } = await api.partner();
  expect((await post(token, '"order-1"')).text).toBe((await post(token, "order-1")).text);
});

test("another body with the same key is 422 base", async () => {
  const { token } = await api.partner();
  await post(token, "order-1");
  const { status, json } = await post(token, "order-1", { ...body, reference: "x" });
  expect(status).toBe(422);
  expect(json).toMatchObject({ base: ["This idempotency key was used with another body."], source_tool: [] });
});

test("keys are scoped to a partner", async () => {
  const one = await api.partner();
  const two = await api.partner();
  expect((await post(one.token, "k")).text).not.toBe((await post(two.token, "k")).text);
});

test("ten concurrent requests create one import and get one answer", async () => {
  const { token, partner } = await api.partner();
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(token, "k", slowBody)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await countImports(partner.id)).toBe(1);
});

test("only a 201 is stored: the partner can correct a refused request under the same key", async () => {
  const { token } = await api.partner();
  expect((await post(token, "k", { source_tool: "x" })).status).toBe(422);
  expect((await post(token, "k")).status).toBe(201);
});

test("a key expires after 24 hours", async () => {
  const { token, partner } = await api.partner();
  const first = await post(token, "k");
  await api.db.pool.query(
    "update idempotency_keys set created_at = now() - interval '24 hours 1 second' where partner_id = $1",
    [partner.id],
  );
  const second = await post(token, "k");
  expect(second.status).toBe(201);
  expect(second.text).not.toBe(first.text);
});

test("a request takes over the claim of a process that died", async () => {
  const { token, partner } = await api.partner();
  await api.db.pool.query(
    `insert into idempotency_keys (partner_id, key, fingerprint, claim, claimed_until)
     values ($1, 'k', '\\x00', gen_random_uuid(), now() - interval '1 second')`,
    [partner.id],
  );
  expect((await post(token, "k")).status).toBe(201);
});

test("waits at most 10 seconds for a request that another process handles, then answers 409", async () => {
  const { token, partner } = await api.partner();
  await post(token, "k");
  await api.db.pool.query(
    "update idempotency_keys set answer = null, claimed_until = now() + interval '1 minute' where partner_id = $1",
    [partner.id],
  );
  const started = performance.now();
  const { status, json } = await post(token, "k");
  expect(status).toBe(409);
  expect(json).toMatchObject({ error: { code: "conflict" } });
  expect(performance.now() - started).toBeGreaterThan(9_500);
});

test("the stored answer and fingerprint reveal nothing", async () => {
  const { token, partner } = await api.partner();
  const { json } = await post(token, "k", { ...body, destination_token: "kept-secret" });
  const { rows } = await api.db.pool.query<{ row: string; answer: Buffer }>(
    "select k::text as row, answer from idempotency_keys k where partner_id = $1",
    [partner.id],
  );
  expect(rows[0]?.answer.toString("latin1")).not.toContain((json as { token: string }).token);
  expect(rows[0]?.row).not.toContain("kept-secret");
});

describe.each(bothBases)("POST $base/imports", ({ base }) => {
  test.each([
    ["256 characters", "k".repeat(256), 400],
    ["255 characters", "k".repeat(255), 201],
    ["nothing", "", 400],
    ["empty quotes", '""', 400],
  ])("a key of %s", async (_, key, expected) => {
    const { token } = await api.partner();
    expect((await post(token, key, body, base)).status).toBe(expected);
  });
});

test("the sandbox stores no key", async () => {
  const { token } = await api.partner();
  expect((await post(token, "k", body, sandbox)).status).toBe(201);
  expect((await post(token, "k", { ...body, reference: "other" }, sandbox)).status).toBe(201);
});
