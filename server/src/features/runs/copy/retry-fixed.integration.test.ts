import type { Connector, FamilyRecord, Outcome } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { patienceMs } from "../../../../../test/support/patience.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { loadMapping, type Mapping, nothingKnown, saveMapping } from "../../mapping/index.ts";
import { createChooseMapping } from "../prepare/choose-mapping.ts";
import { createLoadMapping } from "../prepare/run-mapping.ts";
import { findReport } from "../report/find-report.ts";
import { createFixPreview } from "../fix/preview-fix.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  await Promise.all(tools.map((tool) => tool.close()));
  await fixture.drop();
});

const none = { contacts: 0, organizations: 0, groups: 0, articles: 0, attachments: 0, comments: 0 };
const counts = { ...none, users: 4, tickets: 1_600 };
const connector = standInConnector({
  family: "helpdesk",
  paging: "keyset",
  pageSize: 100,
  settles: "lookup",
  createsFields: true,
  lateWriteMs: 100,
}) as never as Connector<never>;

interface Ticket {
  readonly id: string;
  readonly assignee: { readonly id: string | null } | null;
  readonly customFields: Readonly<Record<string, unknown>>;
}
const asTicket = (record: FamilyRecord) => record as unknown as Ticket;
const rejected = (code: string): Outcome => ({ kind: "rejected", code, message: "The desk says no." });

const ticketsOf = (tool: StandIn) =>
  Array.from({ length: counts.tickets }, (_, index) =>
    tool.source.get("tickets")?.find(`${index + 1}`),
  ).flatMap((record) => (record ? [asTicket(record)] : []));

type Refuse = (
  ticket: Ticket,
  between: { readonly source: StandIn; readonly destination: StandIn },
) => string | null;

/** A finished move of which a picky destination refused tickets, made by the suggested mapping with a change. */
const moved = async (change: (mapping: Mapping) => Mapping, refuse: Refuse) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 0 });
  const destination = await startStandIn({ seed: "there", upserts: false, customFields: [] });
  tools.push(source, destination);
  const sent: string[] = [];
  const picky = refusing(connector, (stream, record) => {
    if (stream !== "tickets") return null;
    sent.push(record.id);
    const code = refuse(asTicket(record), { source, destination });
    return code === null ? null : rejected(code);
  });
  const choose = createChooseMapping(fixture);
  let isFirst = true;
  const one = await fixture.begin(
    { connector, tool: source },
    { connector: picky, tool: destination },
    {
      times: { leaseMs: 120_000, writeMs: 60_000 },
      loadMapping: createLoadMapping(fixture.db),
      chooseMapping: async (ctx) => {
        const revision = await choose(ctx);
        if (!isFirst) return revision;
        isFirst = false;
        await edit(ctx.lease.importId, change);
        return choose(ctx);
      },
    },
  );
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  const report = async () => {
    const found = await findReport(fixture.db, { id: one.importId, family: "helpdesk" } as never);
    const tickets = found?.streams.find(({ stream }) => stream === "tickets");
    if (!found || !tickets) throw new Error("There is no report.");
    return tickets;
  };
  const preview = createFixPreview({
    db: fixture.db,
    openSide: one.openSide,
    destinationStreams: async ({ connector: of }, family) => of.destination?.[family] ?? [],
  });
  return { one, source, destination, sent, report, preview };
};

const edit = async (importId: string, change: (mapping: Mapping) => Mapping) => {
  const { mapping, revision } = await loadMapping(fixture.db, importId);
  await saveMapping(fixture.db, importId, { mapping: change(mapping), based: revision, actor: "customer" });
};

const copies = (tool: StandIn) => new Map([...tool.written("tickets").all()].map((row) => [row.id, row]));

/** What the destination has, as it tells it. */
const state = ({ destination, one }: Awaited<ReturnType<typeof moved>>) => ({
  rows: copies(destination),
  stats: destination.stats().writes,
  fields: destination.fields("tickets").all(),
  importId: one.importId,
});

const retry = (one: Awaited<ReturnType<typeof moved>>["one"], code: string) =>
  one.run({ type: "retry_started", withinWindow: true, causes: [{ stream: "tickets", code }] });

const people = (choice: Partial<Mapping["people"]>) => (mapping: Mapping) => ({
  ...mapping,
  people: { ...mapping.people, ...choice },
});

test(
  "1,000 tickets lack a person: one default person, shown on real records first, retries exactly those",
  async () => {
    const concerned = new Set<string>();
    const given = await moved(
      people({ choices: {}, unmatched: "nobody" }),
      ({ id, assignee }, { source }) => {
        if (concerned.size === 0)
          for (const ticket of ticketsOf(source)
            .filter((each) => each.assignee?.id != null)
            .slice(0, 1_000))
            concerned.add(ticket.id);
        return concerned.has(id) && assignee?.id == null ? "required_empty" : null;
      },
    );
    const [cause] = (await given.report()).failed;
    expect(cause).toMatchObject({ code: "required_empty", count: 1_000 });
    const before = state(given);
    expect(before.rows.size).toBe(600);

    const standIn =
      given.destination.written("users").write({
        key: "theirs",
        id: null,
        record: given.source.source.get("users")?.find("1") as FamilyRecord,
      }) ?? "";
    const { mapping } = await loadMapping(fixture.db, given.one.importId);
    const after = people({ unmatched: "default", defaultId: standIn })(mapping);
    const shown = await given.preview(
      {
        importId: given.one.importId,
        family: "helpdesk",
        stream: "tickets",
        ids: cause?.examples ?? [],
        before: mapping,
        after,
        names: { ...nothingKnown, destinationNameOf: (id) => (id === standIn ? "Team Inbox" : null) },
      },
      AbortSignal.timeout(60_000),
    );
    if (shown.kind !== "preview") throw new Error(shown.kind);
    expect(shown.records.map(({ id }) => id)).toEqual(cause?.examples);
    expect(shown.records).toHaveLength(3);
    for (const { detail, outcome, fields } of shown.records) {
      expect(detail).toBe("The desk says no.");
      expect(outcome).toBe("written");
      expect(fields.find(({ field }) => field === "assignee")).toMatchObject({
        before: null,
        after: "Team Inbox",
      });
    }
    // Nothing is written by it.
    expect({ ...state(given), stats: null }).toEqual({ ...before, stats: null });
    expect(given.destination.stats().writes["tickets"]).toEqual(before.stats["tickets"]);

    await edit(given.one.importId, () => after);
    given.sent.length = 0;
    await retry(given.one, "required_empty");
    expect(new Set(given.sent)).toEqual(concerned);
    expect(given.sent).toHaveLength(1_000);
    // Copies from before are as the matching of then has them, and are judged by it.
    expect(await given.report()).toMatchObject({ written: 1_600, failed: [], verified: { same: 1_600 } });
    const now = copies(given.destination);
    expect(now.size).toBe(1_600);
    for (const [id, row] of before.rows) expect(now.get(id)).toEqual(row);
    const added = [...now.values()].filter(({ id }) => !before.rows.has(id));
    expect(added).toHaveLength(1_000);
    expect(new Set(added.map(({ record }) => asTicket(record).assignee?.id))).toEqual(new Set([standIn]));
    expect(given.destination.stats()).toMatchObject({ duplicates: 0 });
  },
  patienceMs,
);

test(
  "people who are matched before a delta, which reads only what changed, are looked at by the retry after it",
  async () => {
    const concerned = new Set<string>();
    const given = await moved(
      people({ choices: {}, unmatched: "nobody" }),
      ({ id, assignee }, { source }) => {
        if (concerned.size === 0)
          for (const ticket of ticketsOf(source)
            .filter((each) => each.assignee?.id != null)
            .slice(0, 50))
            concerned.add(ticket.id);
        return concerned.has(id) && assignee?.id == null ? "required_empty" : null;
      },
    );
    const failed = [{ code: "required_empty", count: 50 }];
    expect(await given.report()).toMatchObject({ failed });
    const record = given.source.source.get("users")?.find("1") as FamilyRecord;
    const own = given.destination.written("users").write({ key: "theirs", id: null, record }) ?? "";
    await edit(given.one.importId, people({ unmatched: "default", defaultId: own }));
    await given.one.run({ type: "delta_started", withinWindow: true });
    expect(await given.report()).toMatchObject({ failed });

    await retry(given.one, "required_empty");
    expect(await given.report()).toMatchObject({ written: 1_600, failed: [] });
    expect(copies(given.destination).size).toBe(1_600);
    expect(given.destination.stats()).toMatchObject({ duplicates: 0 });
  },
  patienceMs,
);

const field = (key: string, as: "create" | "nothing") => (mapping: Mapping) => {
  const tickets = mapping.streams["tickets"];
  if (!tickets) throw new Error("The mapping has no tickets.");
  return {
    ...mapping,
    streams: { ...mapping.streams, tickets: { ...tickets, fields: { ...tickets.fields, [key]: { as } } } },
  } satisfies Mapping;
};

test(
  "tickets lack a field: created once from the cause, and exactly those are retried",
  async () => {
    let key = "";
    const given = await moved(
      (mapping) => {
        key = Object.keys(mapping.streams["tickets"]?.fields ?? {})[0] ?? "";
        return field(key, "nothing")(mapping);
      },
      // It wants the field on every second ticket.
      ({ id, customFields }, { destination }) => {
        if (Number(id) % 2 === 1) return null;
        const own = destination.fields("tickets").all();
        const filled = own.filter((each) => customFields[each.key] !== undefined);
        return filled.length < 3 ? "missing_custom_field" : null;
      },
    );
    const report = await given.report();
    const cause = report.failed.find(({ code }) => code === "missing_custom_field");
    if (!cause) throw new Error("Nothing failed.");
    const before = state(given);
    const { mapping } = await loadMapping(fixture.db, given.one.importId);
    const after = field(key, "create")(mapping);
    const asked = {
      importId: given.one.importId,
      family: "helpdesk" as const,
      stream: "tickets",
      ids: cause.examples,
      before: mapping,
      after,
      names: nothingKnown,
    };
    const shown = await given.preview(asked, AbortSignal.timeout(60_000));
    if (shown.kind !== "preview") throw new Error(shown.kind);
    const originals = new Map(ticketsOf(given.source).map((ticket) => [ticket.id, ticket]));
    for (const { id, fields } of shown.records)
      expect(fields.map((each) => [each.field, each.before])).toEqual(
        originals.get(id)?.customFields[key] === undefined ? [] : [[`customFields.${key}`, null]],
      );
    expect(shown.records.flatMap(({ fields }) => fields).length).toBeGreaterThan(0);
    expect(state(given)).toEqual(before);

    await edit(given.one.importId, () => after);
    given.sent.length = 0;
    await retry(given.one, "missing_custom_field");
    expect(given.destination.fields("tickets").all().length).toBe(before.fields.length + 1);
    expect(given.sent).toHaveLength(cause.count);
    const now = copies(given.destination);
    for (const [id, row] of before.rows) expect(now.get(id)).toEqual(row);
    const { failed, verified } = await given.report();
    expect(verified).toMatchObject({ same: now.size, differs: 0 });
    const left = failed.reduce((sum, { count }) => sum + count, 0);
    expect(left).toBeLessThan(cause.count);
    expect(now.size - before.rows.size).toBe(cause.count - left);
    expect(given.destination.stats()).toMatchObject({ duplicates: 0 });
  },
  patienceMs,
);
