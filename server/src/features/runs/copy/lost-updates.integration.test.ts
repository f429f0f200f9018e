import type { Connector, DestinationStream, FamilyRecord, Outcome, Write } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { edit, plain, subjectOf, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { refusingLate } from "../../../../../test/runs/refusing-late-fixture.ts";
import { stateName } from "../ledger/row-state.ts";

const { given, ledgerId, database } = useKinds();

interface Ticket extends FamilyRecord {
  readonly subject: string;
}

const ticketsOf = (change: (stream: DestinationStream<Ticket>) => DestinationStream<Ticket>): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream) =>
    stream.stream.name === "tickets" ? change(stream as unknown as DestinationStream<Ticket>) : stream,
  );
  return { ...connector, destination: { helpdesk: streams } };
};

const shown = (record: Ticket): Ticket => ({ ...record, subject: record.subject.toUpperCase() });

/** A tool that shows subjects in capitals; its connector changes only what differs. `loses`: the answer to an update gets lost. */
const shouting = (loses: (write: Write<Ticket>) => boolean): Connector =>
  ticketsOf((stream) => {
    const read: DestinationStream<Ticket>["read"] = async (io, ids) =>
      (await stream.read(io, ids)).map((record) => record && shown(record));
    const declared = { field: "subject", change: "converted", why: "This tool has capitals only." } as const;
    const as = (outcome: Outcome<Ticket> | undefined, write: Write<Ticket>): Outcome<Ticket> =>
      outcome?.kind === "written" && outcome.record
        ? {
            ...outcome,
            record: shown(outcome.record),
            changes: [{ ...declared, becomes: shown(write.record).subject }],
          }
        : (outcome ?? { kind: "unknown", why: "No answer." });
    return {
      ...stream,
      read,
      async write(io, batch) {
        const outcomes: Outcome<Ticket>[] = [];
        for (const write of batch) {
          const [now] = write.id === null ? [] : await read(io, [write.id]);
          const isThere = write.id !== null && now?.subject === shown(write.record).subject;
          const outcome: Outcome<Ticket> | undefined = isThere
            ? { kind: "written", id: write.id, record: now }
            : (await stream.write(io, [write]))[0];
          const isLost = !isThere && write.id !== null && loses(write);
          outcomes.push(isLost ? { kind: "unknown", why: "The answer got lost." } : as(outcome, write));
        }
        return outcomes;
      },
    };
  });

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
    const connector = shouting(({ record }) => {
      if (record.id !== "7" || lost > 0) return false;
      lost += 1;
      then();
      return true;
    });
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
  const { one, source, destination } = await given({ connector: shouting(() => false) });
  await one.run({ type: "full_started" });
  const id = await ledgerId(one.importId, "7");
  edit(destination, id, { subject: "mine" });
  source.source.get("tickets")?.update("7", { subject: "changed at the source" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(subjectOf(destination, id)).toBe("mine");
  expect(await rowOf(one.importId, "7")).toMatchObject({ reason: "edited_since" });
});

test.each(["throwing", "rejecting"] as const)(
  "a part of an update that the tool took and then refused is no edit of a person (%s)",
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
    source.source.get("tickets")?.update("7", { subject: "changed again" } as never);
    await one.run({ type: "delta_started", withinWindow: true });
    expect(subjectOf(destination, await ledgerId(one.importId, "7"))).toBe("changed again");
    expect(await rowOf(one.importId, "7")).toMatchObject({ reason: null });
  },
);
