import { expect, test } from "vitest";
import { toSample, useWebhookFixture } from "../../../../test/support/webhook-fixture.ts";
import { archiveIdleImports, moveImport } from "../imports/index.ts";
import { replayEvent } from "./store-replay.ts";

const fixture = useWebhookFixture();

const setFigures = (id: string, items: object, people: number) =>
  fixture.db.pool.query(
    "update imports set items = $2, source_people = $3, destination_people = $3, matched_people = $3 where id = $1",
    [id, JSON.stringify(items), people],
  );

const bodies = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

test("every attempt and every replay of an event has the figures of the moment when it happened, byte for byte", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await setFigures(id, { tickets: 20, contact_groups: 3 }, 4);
  await fixture.move(id, { type: "attention_required", reason: "sign_in" });
  await setFigures(id, { tickets: 21 }, 5);
  // The same time for all attempts: the timestamp is all that may differ.
  const webhooks = fixture.webhooks({ now: () => 1_708_989_523_402 });
  fixture.receiver.answer(() => ({ status: 500 }));
  const [taken] = await webhooks.takeDue(10);
  if (!taken) throw new Error("Nothing was due.");
  await webhooks.deliver(taken);
  fixture.receiver.answer(() => ({ status: 200 }));
  await fixture.hurry(acme.partner.id);
  await fixture.drive(webhooks);
  await setFigures(id, {}, 6);
  expect(await replayEvent(fixture.db, acme.partner.id, taken.row.eventId)).toEqual({ kind: "replayed" });
  await fixture.drive(webhooks);
  const [first, ...others] = acme.got().map(({ body }) => body);
  expect(others).toEqual([first, first]);
  expect(JSON.parse(first ?? "")).toMatchObject({
    type: "import.attention_required",
    items: { tickets: 20, contact_groups: 3 },
    users: { source_tool: 4, destination_tool: 4, matched: 4 },
  });
});

test("an event from before figures were kept has the current ones", async () => {
  const acme = await fixture.partner();
  const { id } = await fixture.newImport(acme);
  await fixture.move(id, { type: "attention_required", reason: "sign_in" });
  await fixture.db.pool.query("update events set figures = null where import_id = $1", [id]);
  await setFigures(id, { tickets: 21 }, 5);
  await fixture.drive();
  expect(bodies(acme.got())).toMatchObject([{ items: { tickets: 21 }, users: { matched: 5 } }]);
});

test("import.closed says who or what closed it, and no other event has a reason", async () => {
  const acme = await fixture.partner();
  const close = async (...by: Parameters<typeof moveImport>[2]["actor"][]) => {
    for (const actor of by) {
      const { id } = await fixture.newImport(acme);
      await moveImport(fixture.db, { type: "cancelled" }, { importId: id, partnerId: null, actor });
    }
  };
  await close({ kind: "partner", partnerId: acme.partner.id }, { kind: "operator", staffId: "jo" });
  const idle = await fixture.newImport(acme);
  await fixture.move(idle.id, ...toSample);
  await fixture.db.pool.query("update imports set active_at = now() - interval '1000 days' where id = $1", [
    idle.id,
  ]);
  expect(await archiveIdleImports(fixture.db)).toEqual({ archived: 1 });
  await fixture.drive();
  const got = bodies(acme.got());
  const closed = got.filter(({ type }) => type === "import.closed");
  expect(new Set(closed.map(({ reason }) => reason))).toEqual(new Set(["idle", "operator", "partner"]));
  for (const body of got.filter(({ type }) => type !== "import.closed"))
    expect(body).not.toHaveProperty("reason");
});
