import { type Connector, type FamilyRecord, helpdesk, type RecordOf } from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asItIs, createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { compileSelection, mappingSchema } from "../../mapping/index.ts";
import { progressOf } from "../progress/progress.ts";
import { addsUp, makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

const counts = {
  users: 4,
  contacts: 4,
  organizations: 2,
  groups: 2,
  tickets: 40,
  comments: 120,
  attachments: 60,
};

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  for (const tool of tools) await tool.close();
  await fixture.drop();
});

type Ticket = FamilyRecord & { readonly status: string };
type Comment = FamilyRecord & { readonly ticketId: string };
type Reading = Partial<Parameters<typeof standInConnector>[0]>;

/** Moves only the tickets whose status is listed, as soon as the customer has chosen so. */
const begin = async (reading: Reading = {}, hasChosen: () => boolean = () => true) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination" });
  tools.push(source, destination);
  const rowsOf = (stream: string) => {
    const rows = source.source.get(stream);
    if (!rows) throw new Error(`There is no stream ${stream}.`);
    return rows;
  };
  const all = (stream: string) =>
    Array.from({ length: rowsOf(stream).last() }, (_, index) => rowsOf(stream).record(index + 1)).filter(
      (row) => row !== null,
    ) as unknown as readonly (Ticket & Comment)[];
  const change = (id: string, known: Partial<RecordOf<typeof helpdesk.tickets>>) =>
    rowsOf("tickets").update(id, known);
  for (const { id } of all("tickets")) change(id, { status: Number(id) % 4 === 0 ? "Open" : "Done" });
  const isSelected = compileSelection(
    mappingSchema.parse({ selection: { statuses: { mode: "only", values: ["Open"] } } }),
  );
  const connector = (more: Reading = {}) =>
    standInConnector({ family: "helpdesk", paging: "keyset", ...more }) as unknown as Connector;
  const one = await fixture.begin(
    { connector: connector(reading) as never, tool: source },
    { connector: connector() as never, tool: destination },
    { partitions: 2, mapping: () => (hasChosen() ? { ...asItIs, isSelected } : asItIs) },
  );
  const report = async () => {
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    return makeReport({ importId: one.importId, family: "helpdesk" }, run);
  };
  const left = async (stream: string) =>
    (await report()).streams.find((each) => each.stream === stream)?.skipped ?? [];
  const written = (stream: string) => [...destination.written(stream).all()].length;
  return { one, change, all, report, left, written, destination };
};

const isOpen = ({ status }: Ticket) => status === "Open";

test("records outside of the choice, and what belongs to them, are left out with that reason, and the report adds up", async () => {
  const { one, all, report, left, written } = await begin();
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  const chosen = new Set(
    all("tickets")
      .filter(isOpen)
      .map(({ id }) => id),
  );
  const own = all("comments").filter(({ ticketId }) => chosen.has(ticketId));
  expect(own.length).toBeGreaterThan(0);
  expect(written("tickets")).toBe(chosen.size);
  expect(written("comments")).toBe(own.length);
  expect(written("contacts")).toBe(counts.contacts);
  expect(addsUp(await report())).toBe(true);
  expect(await left("tickets")).toMatchObject([
    { code: "not_selected", count: counts.tickets - chosen.size },
  ]);
  expect(await left("comments")).toMatchObject([
    { code: "not_selected", count: counts.comments - own.length },
  ]);
  // Files of comments of tickets that stay, too.
  expect((await left("attachments")).map(({ code }) => code)).toEqual(["not_selected"]);
  const { findings = [] } =
    (await progressOf(fixture.db, [one.importId], { causes: true })).get(one.importId) ?? {};
  expect(findings.map(({ code }) => code)).not.toContain("parent_missing");
});

test("a record that an undo removed stays behind if it is not chosen any more", async () => {
  let hasChosen = false;
  const { one, all, report, written } = await begin({}, () => hasChosen);
  await one.run({ type: "full_started" });
  expect(written("tickets")).toBe(counts.tickets);
  await one.run({ type: "undo_started" });
  expect(written("tickets")).toBe(0);
  await one.move({ type: "started_over" });
  hasChosen = true;
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(written("tickets")).toBe(all("tickets").filter(isOpen).length);
  expect(addsUp(await report())).toBe(true);
});

describe.each([
  ["read as whole streams", {}],
  ["read per ticket", { perParent: { comments: "tickets" } }],
  ["read per changed ticket", { perParent: { comments: "tickets" }, changesWithParent: ["comments"] }],
] as const)("comments %s", (_, reading) => {
  test("a delta moves a record that enters the choice, with all that belongs to it, and keeps one that leaves it", async () => {
    const { one, change, all, report, written, destination } = await begin(reading);
    await one.run({ type: "full_started" });
    const before = { tickets: written("tickets"), comments: written("comments") };
    const commentsOf = (id: string) => all("comments").filter(({ ticketId }) => ticketId === id).length;
    const enters = all("tickets").find((each) => !isOpen(each) && commentsOf(each.id) > 0)?.id ?? "";
    const leaves = all("tickets").find(isOpen)?.id ?? "";
    change(enters, { status: "Open" });
    change(leaves, { status: "Done", subject: "Closed since" });
    await one.run({ type: "delta_started", withinWindow: true });
    expect(await one.status()).toBe("migration_completed");
    expect(written("tickets")).toBe(before.tickets + 1);
    expect(written("comments")).toBe(before.comments + commentsOf(enters));
    expect(addsUp(await report())).toBe(true);
    expect(destination.stats()).toMatchObject({ duplicates: 0 });
    const copies = [...destination.written("tickets").all()].map(({ record }) =>
      helpdesk.tickets.make(record as never),
    );
    expect(copies.filter(({ subject }) => subject === "Closed since")).toHaveLength(1);
  });
});
