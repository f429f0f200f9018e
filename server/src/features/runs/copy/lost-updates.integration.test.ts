import type { FamilyRecord } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { edit, subjectOf, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { refusingLate } from "../../../../../test/runs/refusing-late-fixture.ts";
import { shouting } from "../../../../../test/runs/shouting-fixture.ts";
import { stateName } from "../ledger/row-state.ts";

const { given, ledgerId, database } = useKinds();

const rowOf = async (importId: string, sourceId: string) => {
  const { rows } = await database().query<{ state: number; reason: string | null; declared: object | null }>(
    "select state, reason, declared from ledger where import_id = $1 and stream = 'tickets' and source_id = $2",
    [importId, sourceId],
  );
  const [row] = rows;
  return row && { ...row, state: stateName(row.state) };
};

describe("an update of ours without an answer, in a tool that shows it in its own way", () => {
  /** The answer to the first update of ticket 7 is lost; then `meanwhile` happens, before anything looks at the copy again. */
  const changeOnce = async (
    meanwhile: (destination: Parameters<typeof edit>[0], id: string) => void = () => {},
  ) => {
    let lost = 0;
    let then = () => {};
    const connector = shouting(
      ({ record }) => {
        if (record.id !== "7" || lost > 0) return "ok";
        lost += 1;
        return "lost";
      },
      { afterLost: () => then() },
    );
    const { one, source, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    const id = await ledgerId(one.importId, "7");
    then = () => meanwhile(destination, id);
    source.source.get("tickets")?.update("7", { subject: "changed at the source" } as never);
    await one.run({ type: "delta_started", withinWindow: true });
    expect(lost).toBe(1);
    return { one, source, destination, id };
  };

  test("is no edit of a person: the copy follows the next change", async () => {
    const { one, source, destination, id } = await changeOnce();
    expect(await rowOf(one.importId, "7")).toMatchObject({ state: "written", reason: null });
    expect((await rowOf(one.importId, "7"))?.declared).toHaveProperty("subject");
    source.source.get("tickets")?.update("7", { subject: "changed again" } as never);
    await one.run({ type: "delta_started", withinWindow: true });
    expect(subjectOf(destination, id)).toBe("changed again");
  });

  test("is no edit of a person for an undo, either", async () => {
    const { one, destination, id } = await changeOnce();
    await one.run({ type: "undo_started" });
    expect(destination.written("tickets").get(id)).toBeNull();
  });

  test.each([
    ["what the import writes", () => ({ subject: "mine" })],
    [
      "what the import does not write",
      ({ customFields }: FamilyRecord) => ({ customFields: { ...customFields, own: "mine" } }),
    ],
  ])(
    "may have a person's edit on top, of %s: then the copy stays, and nobody is said to have edited it",
    async (_, changeOf) => {
      let change = {};
      const { one, source, destination, id } = await changeOnce((tool, copy) => {
        const row = tool.written("tickets").get(copy);
        change = changeOf(row?.record as FamilyRecord);
        edit(tool, copy, change);
      });
      expect(await rowOf(one.importId, "7")).toMatchObject({ state: "written", reason: "maybe_edited" });
      source.source.get("tickets")?.update("7", { subject: "changed again" } as never);
      await one.run({ type: "delta_started", withinWindow: true });
      expect(destination.written("tickets").get(id)?.record).toMatchObject(change);
      await one.run({ type: "undo_started" });
      expect(destination.written("tickets").get(id)?.record).toMatchObject(change);
      expect(await rowOf(one.importId, "7")).toMatchObject({ state: "kept", reason: "maybe_edited" });
    },
  );
});

test("without a lost answer a person's edit is one", async () => {
  const { one, source, destination } = await given({ connector: shouting(() => "ok") });
  await one.run({ type: "full_started" });
  const id = await ledgerId(one.importId, "7");
  edit(destination, id, { subject: "mine" });
  source.source.get("tickets")?.update("7", { subject: "changed at the source" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(subjectOf(destination, id)).toBe("mine");
  expect(await rowOf(one.importId, "7")).toMatchObject({ reason: "edited_since" });
});

describe("an update that the tool refused, though a part of it took effect", () => {
  test.each(["throwing", "rejecting"] as const)(
    "is no edit of a person: a retry finds the copy as it is wanted (%s)",
    async (by) => {
      let refusals = 0;
      const connector = refusingLate({
        by,
        refuses: ({ id, record }) => id !== null && record.id === "7" && refusals++ === 0,
      });
      const { one, source, destination } = await given({ connector });
      await one.run({ type: "full_started" });
      source.source.get("tickets")?.update("7", { subject: "changed" } as never);
      await one.run({ type: "delta_started", withinWindow: true });
      expect(await rowOf(one.importId, "7")).toMatchObject({ reason: "update_failed" });
      await one.run({ type: "retry_started", withinWindow: true });
      expect(await rowOf(one.importId, "7")).toMatchObject({ reason: null });
      source.source.get("tickets")?.update("7", { subject: "changed again" } as never);
      await one.run({ type: "delta_started", withinWindow: true });
      expect(subjectOf(destination, await ledgerId(one.importId, "7"))).toBe("changed again");
    },
  );

  test("if nobody can tell, nobody is said to have edited the copy", async () => {
    let refusals = 0;
    const connector = refusingLate({
      by: "rejecting",
      refuses: ({ id, record }) => id !== null && record.id === "7" && refusals++ === 0,
    });
    const { one, source, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    for (const subject of ["changed", "changed again"]) {
      source.source.get("tickets")?.update("7", { subject } as never);
      await one.run({ type: "delta_started", withinWindow: true });
    }
    expect(subjectOf(destination, await ledgerId(one.importId, "7"))).toBe("changed");
    expect(await rowOf(one.importId, "7")).toMatchObject({ reason: "maybe_edited" });
  });
});
