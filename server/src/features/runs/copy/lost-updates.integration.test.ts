import type { Connector, DestinationStream, FamilyRecord, Outcome } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { edit, plain, subjectOf, useKinds } from "../../../../../test/runs/kinds-fixture.ts";

const { given, ledgerId, database } = useKinds();

const subjectIn = (record: FamilyRecord) => (record as unknown as { readonly subject: string }).subject;
const shown = (record: FamilyRecord): FamilyRecord =>
  ({ ...record, subject: subjectIn(record).toUpperCase() }) as FamilyRecord;
const isSame = (a: FamilyRecord, b: FamilyRecord) => subjectIn(a) === subjectIn(b);

/** A tool that shows subjects in capitals; its connector changes only what differs. `loses`: the answer to an update gets lost. */
const shouting = (loses: (record: FamilyRecord) => boolean): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "tickets") return stream;
    const read: DestinationStream["read"] = async (io, ids) =>
      (await stream.read(io, ids)).map((record) => record && shown(record));
    const writeOne = async (
      io: Parameters<DestinationStream["write"]>[0],
      write: Parameters<DestinationStream["write"]>[1][number],
    ): Promise<Outcome<FamilyRecord>> => {
      const [now] = write.id === null ? [] : await read(io, [write.id]);
      if (write.id !== null && now && isSame(now, shown(write.record)))
        return { kind: "written", id: write.id, record: now };
      const [outcome] = await stream.write(io, [write]);
      if (write.id !== null && loses(write.record)) return { kind: "unknown", why: "The answer got lost." };
      return outcome?.kind === "written" && outcome.record
        ? { ...outcome, record: shown(outcome.record) }
        : (outcome as Outcome<FamilyRecord>);
    };
    return {
      ...stream,
      read,
      write: async (io, batch) => {
        const outcomes: Outcome<FamilyRecord>[] = [];
        for (const write of batch) outcomes.push(await writeOne(io, write));
        return outcomes;
      },
    };
  });
  return { ...connector, destination: { helpdesk: streams } };
};

const reasonOf = async (importId: string, sourceId: string) => {
  const { rows } = await database().query<{ reason: string | null }>(
    "select reason from ledger where import_id = $1 and stream = 'tickets' and source_id = $2",
    [importId, sourceId],
  );
  return rows[0]?.reason;
};

test("an update of ours without an answer is no edit of a person, in a tool that shows it in its own way", async () => {
  let isLost = false;
  const { one, source, destination } = await given({
    connector: shouting(({ id }) => {
      const loses = id === "7" && !isLost;
      isLost ||= loses;
      return loses;
    }),
  });
  await one.run({ type: "full_started" });
  source.source.get("tickets")?.update("7", { subject: "changed at the source" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(isLost).toBe(true);
  expect(await reasonOf(one.importId, "7")).toBeNull();
  source.source.get("tickets")?.update("7", { subject: "changed again" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(subjectOf(destination, await ledgerId(one.importId, "7"))).toBe("changed again");
});

test("a person's edit is still one", async () => {
  const { one, source, destination } = await given({ connector: shouting(() => false) });
  await one.run({ type: "full_started" });
  const id = await ledgerId(one.importId, "7");
  edit(destination, id, { subject: "mine" });
  source.source.get("tickets")?.update("7", { subject: "changed at the source" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(subjectOf(destination, id)).toBe("mine");
  expect(await reasonOf(one.importId, "7")).toBe("edited_since");
});
