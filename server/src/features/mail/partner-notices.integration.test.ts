import { expect, test } from "vitest";
import { givenPartner, testSealer } from "../../../../test/support/fixtures.ts";
import { useMailFixture } from "../../../../test/support/mail-fixture.ts";
import { createLog } from "../../platform/log.ts";
import { disableTarget, enableTarget, newWebhookSecret, saveTarget } from "../webhooks/index.ts";
import { createPartnerNotices } from "./partner-notices.ts";
import { createSmtp } from "./smtp.ts";

const fixture = useMailFixture();

const given = async (contactEmail: string | null) => {
  const { partner } = await givenPartner(fixture.db, { name: "Acme", contactEmail });
  await saveTarget(
    fixture.db,
    testSealer(),
    partner.id,
    { url: "https://hooks.acme.example/in?key=secret", eventTypes: null, ordered: true },
    newWebhookSecret(),
  );
  return partner.id;
};

const lines: string[] = [];
const notices = () =>
  createPartnerNotices({
    db: fixture.db,
    log: createLog("info", { write: (line) => void lines.push(line) }),
    from: "moves@portage.example",
    publicUrl: "https://portage.example",
    send: createSmtp({
      host: "127.0.0.1",
      port: fixture.server.port,
      secure: false,
      requireTls: false,
      auth: null,
    }),
  });

const dueNow = (partnerId: string) =>
  fixture.db.pool.query(
    "update webhook_targets set notice_due_at = now() where partner_id = $1 and notice_due_at is not null",
    [partnerId],
  );

test("the contact of a partner gets one mail each time its endpoint is disabled, with the reason and what to do", async () => {
  const id = await given("ops@acme.example");
  expect(await notices().sendDue()).toBe(0);
  await disableTarget(fixture.db, id, "no_success");
  await disableTarget(fixture.db, id, "gone");
  expect([await notices().sendDue(), await notices().sendDue()]).toEqual([1, 0]);
  const [got, ...more] = fixture.server.received;
  expect(more).toEqual([]);
  expect(got?.to).toEqual(["ops@acme.example"]);
  expect(got?.mail.subject).toBe("Your webhook endpoint is disabled");
  for (const part of [got?.mail.text, got?.mail.html]) {
    expect(part).toContain("hooks.acme.example");
    expect(part).toContain("nothing reached it for five days");
    expect(part).toContain("POST /webhook-endpoint/enable");
  }
  // An address may hold a key: neither the mail nor the log repeats it, and the log names no person.
  expect(got?.raw).not.toContain("key=secret");
  expect(lines.join("")).not.toContain("ops@acme.example");
  expect(got?.header("List-Unsubscribe")).toBeUndefined();
  await enableTarget(fixture.db, id, "operator");
  await disableTarget(fixture.db, id, "operator");
  await notices().sendDue();
  expect(fixture.server.received[1]?.mail.text).toContain("Ask the operator of this service to enable it.");
});

test("no mail without a contact, nor once the endpoint is enabled again", async () => {
  const without = await given(null);
  const enabled = await given("ops@acme.example");
  for (const id of [without, enabled]) await disableTarget(fixture.db, id, "gone");
  await enableTarget(fixture.db, enabled, "operator");
  await notices().sendDue();
  await dueNow(without);
  expect(await notices().sendDue()).toBe(0);
  expect(fixture.server.received).toEqual([]);
});

test("a server that is busy gets it later, one that refuses it never again", async () => {
  const id = await given("ops@acme.example");
  await disableTarget(fixture.db, id, "gone");
  fixture.server.refuse({ rcpt: 451 });
  expect([await notices().sendDue(), await notices().sendDue()]).toEqual([1, 0]);
  await dueNow(id);
  fixture.server.refuse({ rcpt: 550 });
  expect(await notices().sendDue()).toBe(1);
  await dueNow(id);
  fixture.server.refuse({});
  expect(await notices().sendDue()).toBe(0);
  expect(fixture.server.received).toEqual([]);
});

test("of two workers one sends it", async () => {
  const id = await given("ops@acme.example");
  await disableTarget(fixture.db, id, "gone");
  const sent = await Promise.all([notices().sendDue(), notices().sendDue(), notices().sendDue()]);
  expect(sent.toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
  expect(fixture.server.received).toHaveLength(1);
});
