import { expect, test } from "vitest";
import { isClassic, isStandard } from "../../../../test/support/verify-by-contract.ts";
import { verifyInPython } from "../../../../test/support/python-verifier.ts";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import type { Received } from "../../../../test/support/webhook-receiver.ts";
import { Secret } from "../../platform/secret.ts";
import { newWebhookSecret } from "./secrets.ts";
import { setTarget } from "./set-target.ts";
import { openSecrets, rotateSecret } from "./store-targets.ts";

const fixture = useWebhookFixture();
const dayMs = 86_400_000;

/** Verifies with a receiver in TypeScript and one in Python, which must agree. */
const verdict = (secret: string, received: Received | undefined) => {
  if (!received) throw new Error("Nothing was received.");
  const here = { classic: isClassic(secret, received), standard: isStandard(secret, received) };
  expect(verifyInPython([{ secret, received }])).toEqual([here]);
  return here;
};

const both = { classic: true, standard: true };
const neither = { classic: false, standard: false };

const sent = async (of: Awaited<ReturnType<typeof fixture.partner>>) => {
  const { id } = await fixture.newImport(of);
  await fixture.move(id, { type: "cancelled" });
  await fixture.drive();
  return of.got().at(-1);
};

test("both signatures are valid, and only for this body, time and secret", async () => {
  const acme = await fixture.partner();
  const received = await sent(acme);
  expect(verdict(acme.secret, received)).toEqual(both);
  expect(verdict(newWebhookSecret().reveal(), received)).toEqual(neither);
  if (!received) return;
  expect(verdict(acme.secret, { ...received, body: received.body.replace("closed", "opened") })).toEqual(
    neither,
  );
  const later = { ...received.headers, "webhook-timestamp": "1" };
  expect(verdict(acme.secret, { ...received, headers: later })).toEqual({ classic: true, standard: false });
  expect(received.headers["webhook-id"]).toBe((JSON.parse(received.body) as { event_id: string }).event_id);
});

test("a secret that the receiver already had signs as before, whatever its form", async () => {
  for (const secret of ["old one", "geheimnis-äöü", "0123456789abcdef"]) {
    const acme = await fixture.partner({ secret });
    expect(verdict(secret, await sent(acme))).toEqual(both);
  }
});

test("for 24 hours after a rotation both secrets sign, the classic header with the old one; then the new one alone", async () => {
  const acme = await fixture.partner();
  const fresh = newWebhookSecret();
  expect(await rotateSecret(fixture.db, fixture.sealer, acme.partner.id, fresh, dayMs)).toBe("rotated");
  const during = await sent(acme);
  expect(verdict(acme.secret, during)).toEqual(both);
  expect(verdict(fresh.reveal(), during)).toEqual({ classic: false, standard: true });
  // A third secret would leave receivers that have the first without a known signature.
  const third = newWebhookSecret();
  expect(await rotateSecret(fixture.db, fixture.sealer, acme.partner.id, third, dayMs)).toBe("under_way");
  await fixture.db.pool.query(
    "update webhook_targets set old_secret_until = old_secret_until - interval '24 hours' where partner_id = $1",
    [acme.partner.id],
  );
  const after = await sent(acme);
  expect(verdict(fresh.reveal(), after)).toEqual(both);
  expect(verdict(acme.secret, after)).toEqual(neither);
  expect(await rotateSecret(fixture.db, fixture.sealer, acme.partner.id, third, 0)).toBe("rotated");
  expect(verdict(third.reveal(), await sent(acme))).toEqual(both);
});

test("each attempt is built anew: another time, other signatures, the same event", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  fixture.receiver.answer(() => ({ status: acme.got().length < 3 ? 500 : 200 }));
  await fixture.move(id, ...toSample.slice(0, 2));
  for (let i = 0; i < 3; i++) {
    await fixture.drive();
    await fixture.hurry(acme.partner.id);
  }
  const got = acme.got();
  expect(got).toHaveLength(3);
  const bodies = got.map(({ body }) => JSON.parse(body) as { event_id: string; timestamp: number });
  expect(new Set(bodies.map(({ event_id: event }) => event)).size).toBe(1);
  expect(new Set(bodies.map(({ timestamp }) => timestamp)).size).toBe(3);
  for (const received of got) expect(verdict(acme.secret, received)).toEqual(both);
  for (const { headers, body, at } of got) {
    const { timestamp } = JSON.parse(body) as { timestamp: number };
    expect(headers["webhook-timestamp"]).toBe(String(Math.floor(timestamp / 1_000)));
    expect(at - timestamp).toBeLessThan(1_500);
  }
});

test("secrets are sealed: neither the row nor a log shows them", async () => {
  const acme = await fixture.partner({ secret: "a-secret-of-acme" });
  await sent(acme);
  await rotateSecret(fixture.db, fixture.sealer, acme.partner.id, new Secret("another-secret"), dayMs);
  const { rows } = await fixture.db.pool.query<{ secret: Buffer; old: Buffer }>(
    "select secret, old_secret as old from webhook_targets where partner_id = $1",
    [acme.partner.id],
  );
  const kept = `${rows[0]?.secret.toString("latin1")}${rows[0]?.old.toString("latin1")}${fixture.lines.join("")}`;
  expect(kept).not.toMatch(/a-secret-of-acme|another-secret/);
});

test("an address and its receiver's secret change together: no message to the new address has the old signature", async () => {
  const acme = await fixture.partner();
  await fixture.db.pool.query(`
    create table seen_targets (partner_id text, url text, secret bytea, old_secret bytea);
    create function see_target() returns trigger language plpgsql as $$ begin
      insert into seen_targets values (new.partner_id, new.url, new.secret, new.old_secret); return null; end $$;
    create trigger see_target after update on webhook_targets for each row execute function see_target()`);
  await rotateSecret(fixture.db, fixture.sealer, acme.partner.id, newWebhookSecret(), 60_000);
  const url = `${fixture.receiver.url}${acme.path}/new`;
  const given = newWebhookSecret();
  const address = { kind: "checked", url } as const;
  expect(await setTarget(fixture, acme.partner.id, address, {}, given)).toMatchObject({
    kind: "set",
    secret: null,
  });
  const { rows } = await fixture.db.pool.query<Parameters<typeof openSecrets>[1] & { url: string }>(
    `select partner_id as "partnerId", url, secret, old_secret as "oldSecret", true as overlaps from seen_targets`,
  );
  expect(
    rows.map((row) => [row.url, openSecrets(fixture.sealer, row).map((secret) => secret.reveal())]),
  ).toEqual([
    [`${fixture.receiver.url}${acme.path}`, [acme.secret, expect.any(String)]],
    [url, [given.reveal()]],
  ]);
});
