import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { copiesIn, createSampleFixture } from "../../../../../test/runs/sample-fixture.ts";
import { loadMapping, type Mapping, saveMapping } from "../../mapping/index.ts";
import { createChooseMapping } from "../prepare/choose-mapping.ts";
import { createLoadMapping } from "../prepare/run-mapping.ts";
import { countSample } from "./store-results.ts";

let fixture: Awaited<ReturnType<typeof createSampleFixture>>;
beforeAll(async () => {
  fixture = await createSampleFixture();
});
afterEach(() => fixture.closeTools());
afterAll(() => fixture.drop());

type One = Awaited<ReturnType<typeof fixture.begin>>;

/** An import with a finished sample, made by the suggested matching. */
const sampled = async () => {
  const one = await fixture.begin(
    { hostile: false },
    {},
    { chooseMapping: createChooseMapping(fixture), loadMapping: createLoadMapping(fixture.db) },
  );
  await one.run({ type: "sample_started" });
  expect(await one.status()).toBe("sample_completed");
  return one;
};

const correct = async ({ importId }: One, change: (mapping: Mapping) => Mapping) => {
  const { mapping, revision } = await loadMapping(fixture.db, importId);
  const saved = await saveMapping(fixture.db, importId, {
    mapping: change(mapping),
    based: revision,
    actor: "customer",
  });
  expect(saved.kind).toBe("saved");
};

const noWords: Mapping["streams"][string] = { fields: {}, words: {}, fills: {}, source: {}, destination: {} };

/** As the customer says it: tickets with this priority get another one. */
const priority =
  (from: string, to: string) =>
  (mapping: Mapping): Mapping => {
    const tickets = mapping.streams["tickets"] ?? noWords;
    const words = {
      ...tickets.words,
      priority: { ...tickets.words["priority"], [from]: { to, kind: null } },
    };
    return { ...mapping, streams: { ...mapping.streams, tickets: { ...tickets, words } } };
  };

const priorityOf = (record: unknown) => (record as { readonly priority: string | null }).priority;

const tasksOfLast = async ({ importId }: One) => {
  const { rows } = await fixture.db.pool.query<{ task: string }>(
    `select distinct p.task from partitions p join runs r on r.id = p.run_id
     where r.import_id = $1 and r.number = (select max(number) from runs where import_id = $1) order by 1`,
    [importId],
  );
  return rows.map(({ task }) => task);
};

/** How many records each stream of the destination took, by its own count. */
const takenBy = ({ destination }: One) =>
  Object.fromEntries(
    Object.entries(destination.stats().writes).map(([stream, { items }]) => [stream, items] as const),
  );

test("a value that was matched wrongly: only its records are written again, and nothing is chosen anew", async () => {
  const one = await sampled();
  const before = await one.sampled();
  const taken = takenBy(one);
  const made = copiesIn(one.destination, "tickets");
  const [wrong = ""] = made.flatMap(({ record }) => priorityOf(record) ?? []);
  const concerned = made.filter(({ record }) => priorityOf(record) === wrong).map(({ id }) => id);
  expect(concerned.length).toBeGreaterThan(0);
  expect(concerned.length).toBeLessThan(made.length);
  const asked = one.source.stats().requests;

  await correct(one, priority(wrong, "corrected"));
  await one.again();
  expect(await one.status()).toBe("sample_completed");
  expect(await tasksOfLast(one)).not.toContain("choose");
  expect(await one.sampled()).toEqual(before);
  expect(takenBy(one)).toEqual({ ...taken, tickets: (taken["tickets"] ?? 0) + concerned.length });
  const now = copiesIn(one.destination, "tickets");
  expect(now.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  expect(now.filter(({ record }) => priorityOf(record) === "corrected").map(({ id }) => id)).toEqual(
    concerned,
  );
  expect(one.destination.stats()).toMatchObject({ duplicates: 0 });
  // The review shows the copies as they are now, also those that stayed.
  for (const { destId, destination } of await one.results("tickets"))
    expect(priorityOf(destination), destId ?? "").toBe(
      priorityOf(now.find(({ id }) => id === destId)?.record),
    );
  expect(one.source.stats().requests - asked).toBeLessThan(asked);

  // A full move after it: nothing of the sample is written a third time.
  await fixture.db.pool.query("update imports set status = 'in_preparation' where id = $1", [one.importId]);
  const third = takenBy(one)["tickets"] ?? 0;
  await one.run({ type: "full_started" });
  expect((takenBy(one)["tickets"] ?? 0) - third).toBe(330 - made.length);
  expect(one.destination.stats()).toMatchObject({ duplicates: 0 });
});

test("another choice of records, or one that was added, is chosen anew", async () => {
  const one = await sampled();
  await correct(one, (mapping) => ({
    ...mapping,
    selection: { ...mapping.selection, statuses: { mode: "except", values: ["no such status"] } },
  }));
  await one.again();
  expect(await tasksOfLast(one)).toContain("choose");

  const chosen = new Set(
    (await one.sampled()).flatMap(({ stream, id }) => (stream === "tickets" ? [id] : [])),
  );
  const added = Array.from({ length: 330 }, (_, index) => `${index + 1}`).find((id) => !chosen.has(id));
  await fixture.db.pool.query(
    "insert into sample_records (import_id, stream, source_id, why) values ($1, 'tickets', $2, 'added')",
    [one.importId, added],
  );
  await correct(one, priority("no such priority", "other"));
  await one.again();
  expect(await tasksOfLast(one)).toContain("choose");
  expect((await one.results("tickets")).map(({ sourceId }) => sourceId)).toContain(added);

  // Now nothing that it depends on has changed.
  await correct(one, priority("no such priority", "another"));
  await one.again();
  expect(await tasksOfLast(one)).not.toContain("choose");
});

/** What the last run's partitions of a task counted. */
const countedBy = async ({ importId }: One, task: string) => {
  const { rows } = await fixture.db.pool.query<Record<"created" | "removed" | "kept" | "failed", number>>(
    `select sum(p.created)::int as created, sum(p.removed)::int as removed, sum(p.kept)::int as kept, sum(p.failed)::int as failed
     from partitions p join runs r on r.id = p.run_id
     where r.import_id = $1 and p.task = $2 and r.number = (select max(number) from runs where import_id = $1)`,
    [importId, task],
  );
  return rows[0];
};

const streamsOf = (records: readonly { readonly stream: string }[]) => [
  ...new Set(records.map(({ stream }) => stream)),
];

test("another choice: exactly the copies outside of it go, and the counts add up", async () => {
  const one = await sampled();
  const before = await one.sampled();
  const copied = (streams: readonly string[]) =>
    streams.flatMap((stream) => copiesIn(one.destination, stream).map(({ id }) => `${stream}/${id}`));
  const streams = streamsOf(before);
  const first = copied(streams);
  const statuses = copiesIn(one.destination, "tickets").map(
    ({ record }) => (record as unknown as { readonly status: string }).status,
  );
  const [left = ""] = statuses;
  await correct(one, (mapping) => ({
    ...mapping,
    selection: {
      ...mapping.selection,
      streams: streams.filter((name) => name !== "articles"),
      statuses: { mode: "except", values: [left] },
    },
  }));
  await one.again();
  expect(await one.status()).toBe("sample_completed");
  const after = await one.sampled();
  expect(after.filter(({ stream }) => stream === "articles")).toEqual([]);

  const { rows } = await fixture.db.pool.query<{ at: string; sampled: boolean; state: number; copy: string }>(
    `select l.stream || '/' || l.source_id as at, s.source_id is not null as sampled, l.state, l.stream || '/' || l.dest_id as copy
     from ledger l left join sample_records s using (import_id, stream, source_id) where l.import_id = $1`,
    [one.importId],
  );
  // All of the new sample and nothing else has a copy.
  expect(rows.filter((row) => row.sampled !== (row.state === 1))).toEqual([]);
  const now = copied(streams);
  expect(now.toSorted()).toEqual(rows.flatMap((row) => (row.sampled ? [row.copy] : [])).toSorted());
  expect(now).toHaveLength(after.length);
  const tickets = copiesIn(one.destination, "tickets").map(
    ({ record }) => record as unknown as { readonly status: string },
  );
  expect(tickets.filter(({ status }) => status === left)).toEqual([]);

  const gone = first.filter((copy) => !now.includes(copy)).length;
  const made = now.filter((copy) => !first.includes(copy)).length;
  expect(gone).toBeGreaterThan(0);
  expect(made).toBeGreaterThan(0);
  expect(await countedBy(one, "remove")).toMatchObject({ removed: gone, kept: 0, failed: 0 });
  expect(await countedBy(one, "copy")).toMatchObject({ created: made, failed: 0 });
  expect(first.length - gone + made).toBe(now.length);
  const counted = await countSample(fixture.db, one.importId);
  expect(counted.every(({ state }) => state === "written")).toBe(true);
  expect(counted.reduce((sum, { records }) => sum + records, 0)).toBe(after.length);
  expect(one.destination.stats()).toMatchObject({ duplicates: 0, written: now.length });
});
