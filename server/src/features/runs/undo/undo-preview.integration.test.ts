import { expect, test } from "vitest";
import { useRunWizard } from "../../../../../test/support/run-wizard.ts";
import type { UndoPreview } from "./undo-preview.ts";

const wizard = useRunWizard();
const none = { contacts: 0, organizations: 0, groups: 0, articles: 0, attachments: 0 };
const silent = { notify: false, keepDates: true, keepAuthor: true };

const preview = async (one: Awaited<ReturnType<typeof wizard.begin>>) => {
  const { status, json } = await one.ask("GET", "/undo-preview");
  expect(status).toBe(200);
  const { streams, looked } = json as UndoPreview;
  return { looked, of: (name: string) => streams.find(({ stream }) => stream === name) };
};

test("predicts the undo: edited copies, and those that another import uses, stay", async () => {
  const one = await wizard.begin({
    source: { counts: { ...none, users: 4, tickets: 40, comments: 20 } },
    mapping: { personFor: ({ id }) => (id === "1" ? { kind: "person", id: "u1" } : { kind: "copy" }) },
  });
  await one.run({ type: "full_started" });
  const tickets = one.destination.written("tickets");
  const [edited, deleted, shared] = [...tickets.all()];
  if (!edited || !deleted || !shared) throw new Error("nothing was written");
  tickets.write({ ...edited, ...silent, record: { ...edited.record, subject: "Mine" } as never });
  tickets.remove(deleted.id);
  const other = await wizard.begin({ source: { counts: none } });
  await wizard.runs.db.pool.query(
    "insert into matched_records (tool, account_id, stream, dest_id, import_id) values ('stand-in', $3, 'tickets', $1, $2)",
    [shared.id, other.importId, one.destination.url],
  );
  const before = one.destination.stats().requests;
  const shown = await preview(one);
  expect(shown.looked).toBe(true);
  expect(shown.of("tickets")).toMatchObject({
    label: "Tickets",
    copies: 40,
    matched: 0,
    removable: true,
    willGo: 38,
    willStay: 2,
    exact: true,
    looked: { checked: 40, edited: 1, gone: 1, usedByAnother: 1, bound: 0 },
  });
  const people = shown.of("users");
  expect(people).toMatchObject({ copies: 3, matched: 1, exact: true });
  expect(people?.willStay).toBeGreaterThan(0);
  expect(people?.looked?.bound).toBe(people?.willStay);
  expect(one.destination.stats().requests - before).toBeLessThan(10);

  await one.run({ type: "undo_started" });
  expect([...tickets.all()].map(({ id }) => id).toSorted()).toEqual([edited.id, shared.id].toSorted());
  // The people that the two name stay with them, and no one else.
  expect([...one.destination.written("users").all()]).toHaveLength(people?.willStay ?? 0);
});

test("a copy that differs but that the tool reports as untouched goes", async () => {
  const one = await wizard.begin({
    source: { counts: { ...none, users: 0, tickets: 5, comments: 0 } },
    changed: (connector) => ({
      ...connector,
      destination: {
        helpdesk: (connector.destination?.helpdesk ?? []).map((to) => ({
          ...to,
          isUntouched: async (_io: unknown, ids: readonly string[]) => ids.map(() => true),
        })),
      },
    }),
  });
  await one.run({ type: "full_started" });
  const tickets = one.destination.written("tickets");
  const [other] = [...tickets.all()];
  if (!other) throw new Error("nothing was written");
  tickets.write({ ...other, ...silent, record: { ...other.record, subject: "Converted late" } as never });
  expect((await preview(one)).of("tickets")).toMatchObject({ willGo: 5, willStay: 0, looked: { edited: 0 } });
  await one.run({ type: "undo_started" });
  expect([...tickets.all()]).toEqual([]);
});

test("a copy that an undo has left before is predicted to stay again", async () => {
  const one = await wizard.begin({ source: { counts: { ...none, users: 0, tickets: 5, comments: 0 } } });
  await one.run({ type: "full_started" });
  const tickets = one.destination.written("tickets");
  const [edited] = [...tickets.all()];
  if (!edited) throw new Error("nothing was written");
  tickets.write({ ...edited, ...silent, record: { ...edited.record, subject: "Mine" } as never });
  await one.run({ type: "undo_started" });
  await one.move({ type: "started_over" });
  await one.run({ type: "full_started" });
  expect((await preview(one)).of("tickets")).toMatchObject({
    copies: 5,
    matched: 0,
    willGo: 4,
    willStay: 1,
    exact: true,
    looked: { checked: 5, edited: 1 },
  });
  await one.run({ type: "undo_started" });
  expect([...tickets.all()].map(({ id }) => id)).toEqual([edited.id]);
});

test("of many it checks a spread, and no more", async () => {
  const one = await wizard.begin({ source: { counts: { ...none, users: 0, tickets: 900, comments: 0 } } });
  await one.run({ type: "full_started" });
  const tickets = one.destination.written("tickets");
  const rows = [...tickets.all()];
  // Every third copy was edited.
  rows.forEach((row, index) => {
    if (index % 3 === 0)
      tickets.write({ ...row, ...silent, record: { ...row.record, subject: "Mine" } as never });
  });
  const shown = (await preview(one)).of("tickets");
  expect(shown?.looked?.checked).toBeGreaterThan(100);
  expect(shown?.looked?.checked).toBeLessThanOrEqual(200);
  expect(shown?.exact).toBe(false);
  expect(shown?.willStay).toBeGreaterThan(200);
  expect(shown?.willStay).toBeLessThan(400);
});

test("without the destination it shows what it knows, and that it could not check", async () => {
  const one = await wizard.begin({ source: { counts: { ...none, users: 0, tickets: 5, comments: 0 } } });
  expect((await preview(one)).of("tickets")).toBeUndefined();
  await one.run({ type: "full_started" });
  one.gone.add("destination");
  const gone = await preview(one);
  expect([gone.looked, gone.of("tickets")?.looked, gone.of("tickets")?.copies]).toEqual([false, null, 5]);
  one.gone.clear();
  one.destination.revoke(one.destination.token);
  const refused = await preview(one);
  expect([refused.looked, refused.of("tickets")?.looked]).toEqual([false, null]);
});

test("parts that go with their owner are predicted to go, except those of owners that stay", async () => {
  const one = await wizard.begin({
    source: { counts: { ...none, users: 0, tickets: 10, comments: 20 } },
    changed: (connector) => ({
      ...connector,
      destination: {
        helpdesk: (connector.destination?.helpdesk ?? []).map(({ remove, ...to }) =>
          to.stream.name === "comments" || !remove ? to : { ...to, remove },
        ),
      },
    }),
  });
  await one.run({ type: "full_started" });
  expect((await preview(one)).of("comments")).toMatchObject({ removable: true, willGo: 20, willStay: 0 });
  const tickets = one.destination.written("tickets");
  const comments = [...one.destination.written("comments").all()];
  const ticketOf = ({ record }: (typeof comments)[number]) =>
    (record as unknown as { ticketId: string }).ticketId;
  const edited = tickets.get(comments[0] ? ticketOf(comments[0]) : "");
  if (!edited) throw new Error("nothing was written");
  tickets.write({ ...edited, ...silent, record: { ...edited.record, subject: "Mine" } as never });
  const bound = comments.filter((each) => ticketOf(each) === edited.id).length;
  expect((await preview(one)).of("comments")).toMatchObject({
    removable: true,
    willGo: 20 - bound,
    willStay: bound,
    exact: true,
    looked: { edited: 0, bound },
  });
});
