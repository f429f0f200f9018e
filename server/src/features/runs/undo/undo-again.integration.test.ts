import { expect, test } from "vitest";
import { copiesOf, edit, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { refusingLate } from "../../../../../test/runs/refusing-late-fixture.ts";
import { asItIs } from "../../../../../test/runs/runs-fixture.ts";
import type { RunMapping } from "../index.ts";
import { stateName } from "../ledger/row-state.ts";

const { given, ledgerId, database } = useKinds();
type One = Awaited<ReturnType<typeof given>>["one"];

const rowOf = async ({ importId }: One, stream: string, sourceId: string) => {
  const { rows } = await database().query<{ state: number; reason: string | null; id: string | null }>(
    "select state, reason, dest_id as id from ledger where import_id = $1 and stream = $2 and source_id = $3",
    [importId, stream, sourceId],
  );
  const [row] = rows;
  return row ? { ...row, state: stateName(row.state) } : null;
};

const itemsOf = async ({ importId }: One) => {
  const { rows } = await database().query<{ items: Record<string, number> }>(
    "select items from imports where id = $1",
    [importId],
  );
  return rows[0]?.items;
};

/** What the last undo said that it left. */
const leftBy = async ({ importId }: One, stream: string) => {
  const { rows } = await database().query<{ kept: number }>(
    `select sum(p.kept)::int as kept from partitions p where p.stream = $2 and p.run_id =
       (select id from runs where import_id = $1 and kind = 'undo' order by number desc limit 1)`,
    [importId, stream],
  );
  return rows[0]?.kept;
};

const again = async (one: One) => {
  await one.move({ type: "started_over" });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
};

test("an edited copy that stays is neither forgotten by the next undo nor made twice after it", async () => {
  const { one, destination } = await given();
  await one.run({ type: "full_started" });
  const id = await ledgerId(one.importId, "5");
  edit(destination, id, { subject: "mine now" });
  await one.run({ type: "undo_started" });
  const items = await itemsOf(one);
  await again(one);
  expect(await rowOf(one, "tickets", "5")).toEqual({ state: "matched", reason: "kept_from_before", id });
  await one.run({ type: "undo_started" });
  expect(copiesOf(destination, "tickets").map((copy) => copy.id)).toEqual([id]);
  expect(await rowOf(one, "tickets", "5")).toEqual({ state: "kept", reason: "edited_since", id });
  expect(await leftBy(one, "tickets")).toBe(1);
  expect(await itemsOf(one)).toEqual(items);
  await again(one);
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

test("a copy that stayed for another import goes with a later undo, when that import is gone", async () => {
  const { one, destination } = await given();
  await one.run({ type: "full_started" });
  const id = await ledgerId(one.importId, "5");
  const other = await given({ destination });
  await database().query(
    `insert into matched_records (tool, account_id, stream, dest_id, import_id)
     values ('stand-in', $3, 'tickets', $1, $2)`,
    [id, other.one.importId, destination.url],
  );
  await one.run({ type: "undo_started" });
  expect(await rowOf(one, "tickets", "5")).toMatchObject({ state: "kept", reason: "used_by_another_import" });
  await again(one);
  await database().query("delete from matched_records where import_id = $1", [other.one.importId]);
  await one.run({ type: "undo_started" });
  expect(destination.stats()).toMatchObject({ written: 0 });
  expect(await itemsOf(one)).toEqual({});
});

test("an edited person who stays is not copied again by the runs after that", async () => {
  const { one, source, destination } = await given();
  await one.run({ type: "full_started" });
  const id = await ledgerId(one.importId, "2", "users");
  edit(destination, id, { name: "Mine now" }, "users");
  await one.run({ type: "undo_started" });
  expect(await rowOf(one, "users", "2")).toMatchObject({ state: "kept", id });
  await again(one);
  source.source.get("users")?.update("2", { name: "Renamed" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(await rowOf(one, "users", "2")).toEqual({ state: "matched", reason: "kept_from_before", id });
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

test.each(["before", "after"] as const)(
  "a person who stayed is known when another is chosen instead %s the next copy",
  async (when) => {
    let stands: ReturnType<RunMapping["personFor"]> = { kind: "copy" };
    const { one, source, destination } = await given({
      mapping: () => ({ ...asItIs, personFor: ({ id }) => (id === "2" ? stands : { kind: "copy" }) }),
    });
    const record = source.source.get("users")?.find("1");
    const theirs = record && destination.written("users").write({ key: "theirs", id: null, record });
    if (!theirs) throw new Error("no other person");
    await one.run({ type: "full_started" });
    const id = await ledgerId(one.importId, "2", "users");
    edit(destination, id, { name: "Mine now" }, "users");
    await one.run({ type: "undo_started" });
    if (when === "after") await again(one);
    stands = { kind: "person", id: theirs };
    if (when === "before") await again(one);
    else {
      source.source.get("users")?.update("2", { name: "Renamed" } as never);
      await one.run({ type: "delta_started", withinWindow: true });
    }
    // Edited, so it does not go; until an undo it is reported.
    expect(await rowOf(one, "users", "2")).toEqual({ state: "written", reason: "replaced", id });
    await one.run({ type: "undo_started" });
    expect(await rowOf(one, "users", "2")).toMatchObject({ state: "kept", id });
    expect(await leftBy(one, "users")).toBe(1);
  },
);

test("a copy that an undo found by its key, and left, is known from then on", async () => {
  const connector = refusingLate({
    by: "rejecting",
    refuses: ({ id, record }) => id === null && record.id === "7",
    isUntouched: false,
  });
  const { one, destination } = await given({ connector });
  await one.run({ type: "full_started" });
  expect(await rowOf(one, "tickets", "7")).toMatchObject({ state: "failed", id: null });
  await one.run({ type: "undo_started" });
  const id = copiesOf(destination, "tickets")[0]?.id;
  expect(await rowOf(one, "tickets", "7")).toEqual({ state: "kept", reason: "maybe_edited", id });
  expect(await itemsOf(one)).toMatchObject({ tickets: 1 });
  await again(one);
  expect(await rowOf(one, "tickets", "7")).toMatchObject({ state: "matched", id });
  // What belongs to it is there.
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  await one.run({ type: "undo_started" });
  expect(await rowOf(one, "tickets", "7")).toMatchObject({ state: "kept", reason: "maybe_edited", id });
  expect(await itemsOf(one)).toMatchObject({ tickets: 1 });
});

test("a copy that an undo could not look for is looked for by the next copy", async () => {
  let isHidden = false;
  let key = "";
  const connector = refusingLate({
    by: "rejecting",
    refuses: (write) => {
      if (write.id !== null || write.record.id !== "7") return false;
      ({ key } = write);
      return true;
    },
    hides: (what) => isHidden && what.key === key,
  });
  const { one, destination } = await given({ connector });
  await one.run({ type: "full_started" });
  isHidden = true;
  await one.run({ type: "undo_started" });
  expect(await rowOf(one, "tickets", "7")).toEqual({ state: "kept", reason: "not_readable", id: null });
  isHidden = false;
  await again(one);
  expect(await rowOf(one, "tickets", "7")).toMatchObject({
    state: "written",
    id: copiesOf(destination, "tickets").find(({ sourceId }) => sourceId === "7")?.id,
  });
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  await one.run({ type: "undo_started" });
  expect(destination.stats()).toMatchObject({ written: 0 });
  expect(await itemsOf(one)).toEqual({});
});
