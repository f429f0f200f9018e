import { describe, expect, test } from "vitest";
import { copiesOf, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { refusingLate } from "../../../../../test/runs/refusing-late-fixture.ts";
import { stateName } from "../ledger/row-state.ts";

const { given, ledgerId, database } = useKinds();

const rowOf = async (importId: string, sourceId: string) => {
  const { rows } = await database().query<{ state: number; reason: string | null; id: string | null }>(
    `select state, reason, dest_id as id from ledger
     where import_id = $1 and stream = 'tickets' and source_id = $2`,
    [importId, sourceId],
  );
  const [row] = rows;
  return row ? { ...row, state: stateName(row.state) } : null;
};

const isSeven = (record: { readonly id: string }) => record.id === "7";

describe("a ticket that the tool refuses after it took it", () => {
  test("by an error for its batch: the copies are found, none is made twice, and all go with an undo", async () => {
    let refusals = 0;
    const connector = refusingLate({
      by: "throwing",
      refuses: ({ id, record }) => id === null && isSeven(record) && refusals++ === 0,
    });
    const { one, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    expect(refusals).toBeGreaterThan(0);
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
    expect(await rowOf(one.importId, "7")).toMatchObject({ state: "written" });
    await one.run({ type: "undo_started" });
    expect(copiesOf(destination, "tickets")).toEqual([]);
  });

  test("as rejected: a retry finds it instead of creating it again", async () => {
    let refusals = 0;
    const connector = refusingLate({
      by: "rejecting",
      refuses: ({ id, record }) => id === null && isSeven(record) && refusals++ === 0,
    });
    const { one, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    expect(await rowOf(one.importId, "7")).toMatchObject({ state: "failed", reason: "forbidden" });
    await one.run({ type: "retry_started", withinWindow: true });
    expect(await rowOf(one.importId, "7")).toMatchObject({ state: "written" });
    expect(destination.stats()).toMatchObject({ duplicates: 0 });
    expect(copiesOf(destination, "tickets")).toHaveLength(150);
  });

  test.each([
    { isUntouched: true, left: [] },
    // It is unknown whether a person edited it: it stays, and the report says so.
    { isUntouched: false, left: ["8"] },
  ])(
    "as rejected: an undo finds it, also when its original is gone ($isUntouched)",
    async ({ isUntouched, left }) => {
      const connector = refusingLate({
        by: "rejecting",
        refuses: ({ id, record }) => id === null && ["7", "8"].includes(record.id),
        isUntouched,
      });
      const { one, source, destination } = await given({ connector });
      await one.run({ type: "full_started" });
      source.source.get("tickets")?.remove("8");
      await one.run({ type: "retry_started", withinWindow: true });
      expect(await rowOf(one.importId, "8")).toMatchObject({ state: "skipped", reason: "source_deleted" });
      expect(copiesOf(destination, "tickets")).toHaveLength(150);
      await one.run({ type: "undo_started" });
      expect(copiesOf(destination, "tickets").map(({ sourceId }) => sourceId)).toEqual(left);
      for (const id of left)
        expect(await rowOf(one.importId, id)).toMatchObject({ state: "kept", reason: "maybe_edited" });
    },
  );
});

describe("a copy that the tool does not show to this account", () => {
  test("counts as kept after an undo, not as gone", async () => {
    let hidden = "";
    const connector = refusingLate({
      by: "rejecting",
      refuses: () => false,
      hides: ({ id }) => id === hidden,
    });
    const { one, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    hidden = await ledgerId(one.importId, "7");
    await one.run({ type: "undo_started" });
    expect(await rowOf(one.importId, "7")).toMatchObject({ state: "kept", reason: "not_readable" });
    expect(copiesOf(destination, "tickets").map(({ id }) => id)).toEqual([hidden]);
  });

  test("is not changed by a later run, which reports it", async () => {
    let hidden = "";
    const connector = refusingLate({
      by: "rejecting",
      refuses: () => false,
      hides: ({ id }) => id === hidden,
    });
    const { one, source } = await given({ connector });
    await one.run({ type: "full_started" });
    hidden = await ledgerId(one.importId, "7");
    source.source.get("tickets")?.update("7", { subject: "changed" } as never);
    await one.run({ type: "delta_started", withinWindow: true });
    expect(await rowOf(one.importId, "7")).toMatchObject({
      state: "written",
      reason: "update_failed",
      id: hidden,
    });
  });
});
