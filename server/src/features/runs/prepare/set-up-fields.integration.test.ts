import type { Connector, DestinationStream, FieldSetup } from "@portage/connector-kit";
import type { StatusCode } from "@portage/contract";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { patienceMs } from "../../../../../test/support/patience.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import type { StandInOptions } from "../../../../../test/tools/stand-in/options.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { listFields } from "../ledger/store-fields.ts";
import { createChooseMapping } from "./choose-mapping.ts";
import { createLoadMapping } from "./run-mapping.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

type Change = (setup: FieldSetup, stream: string) => Partial<FieldSetup>;

/** The stand-in, of which a caller can create fields, with its creation or removal changed. */
const creating = (change: Change = () => ({})): Connector => {
  const made = standInConnector({
    family: "helpdesk",
    paging: "keyset",
    settles: "lookup",
    createsFields: true,
    lateWriteMs: 100,
  }) as unknown as Connector;
  const streams = (made.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    const { fieldSetup } = stream;
    return fieldSetup
      ? { ...stream, fieldSetup: { ...fieldSetup, ...change(fieldSetup, stream.stream.name) } }
      : stream;
  });
  return { ...made, destination: { helpdesk: streams } };
};

const counts = { users: 3, contacts: 4, tickets: 30, comments: 10 };

interface Given {
  readonly connector?: Connector;
  readonly destination?: StandIn;
  readonly tool?: Partial<StandInOptions>;
  readonly status?: StatusCode;
}

/** An import whose destination lacks every custom field of the source, with the mapping that is suggested for it. */
const given = async ({ connector = creating(), tool = {}, status, ...more }: Given = {}) => {
  const source = await startStandIn({ counts, hostile: false, largeText: 0 });
  const destination =
    more.destination ?? (await startStandIn({ seed: "there", upserts: false, customFields: [], ...tool }));
  const one = await fixture.begin(
    { connector: creating() as never, tool: source },
    { connector: connector as never, tool: destination },
    {
      ...(status ? { status } : {}),
      chooseMapping: createChooseMapping(fixture),
      loadMapping: createLoadMapping(fixture.db),
    },
  );
  const fields = () => listFields(fixture.db, one.importId);
  const states = async () => [...new Set((await fields()).map(({ state }) => state))].toSorted();
  return { one, source, destination, fields, states };
};

const labelsIn = (tool: StandIn, stream: string) =>
  tool
    .fields(stream)
    .all()
    .map(({ label }) => label)
    .toSorted();

const three = ["Color", "Note", "Size"];

/** Every value that the source has in tickets, under the label of its field. */
const valuesIn = (tool: StandIn, stream: string) =>
  [...tool.written(stream).all()].reduce(
    (sum, { record }) => sum + Object.keys(record.customFields).length,
    0,
  );

test(
  "the destination gets the fields before it gets records, keeps them in a delta, and loses them by an undo",
  async () => {
    const { one, destination, fields, states } = await given();
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(labelsIn(destination, "tickets")).toEqual(three);
    const keys = new Set(
      destination
        .fields("tickets")
        .all()
        .map(({ key }) => key),
    );
    expect(valuesIn(destination, "tickets")).toBeGreaterThan(counts.tickets);
    for (const { record } of destination.written("tickets").all())
      for (const key of Object.keys(record.customFields)) expect(keys).toContain(key);
    const rows = (await fields()).filter(({ stream, sourceKey }) => stream === "tickets" && sourceKey !== "");
    expect(rows.map(({ state, field }) => [state, field?.label])).toEqual(
      three.map((label) => ["created", label]),
    );
    expect(rows.every(({ createdAt }) => createdAt instanceof Date)).toBe(true);

    await one.run({ type: "delta_started", withinWindow: true });
    expect(labelsIn(destination, "tickets")).toEqual(three);
    expect(destination.stats().duplicates).toBe(0);

    await one.run({ type: "undo_started" });
    expect(destination.stats().written).toBe(0);
    expect(labelsIn(destination, "tickets")).toEqual([]);
    expect(await states()).toEqual(["removed"]);
  },
  patienceMs,
);

test(
  "the sample already has them, and starting over and undoing leaves nothing",
  async () => {
    const { one, destination, states } = await given({ status: "waiting_for_sample" });
    await one.run({ type: "sample_started" });
    expect(labelsIn(destination, "tickets")).toEqual(three);
    expect(valuesIn(destination, "tickets")).toBeGreaterThan(0);
    await one.move({ type: "matching_changed" });
    await one.run({ type: "sample_started" });
    expect(labelsIn(destination, "tickets")).toEqual(three);
    await one.run({ type: "undo_started" });
    expect(labelsIn(destination, "tickets")).toEqual([]);
    expect(await states()).toEqual(["removed"]);
  },
  patienceMs,
);

test(
  "a process that dies after the tool created the field: its successor finds it, and makes no second",
  async () => {
    let dies = true;
    const connector = creating(({ create }) => ({
      create: async (io, field) => {
        const outcome = await create(io, field);
        if (!dies) return outcome;
        dies = false;
        return new Promise(() => {});
      },
    }));
    const { one, destination, fields } = await given({ connector });
    await one.move({ type: "full_started" });
    const chunks = await one.dispatch();
    void one.work(chunks);
    await vi.waitUntil(() => !dies, patienceMs);
    expect((await fields()).map(({ state }) => state)).toContain("creating");
    // The engine sends the chunk of a dead worker again.
    await one.work(chunks);
    expect(await one.status()).toBe("migration_completed");
    for (const stream of ["contacts", "tickets", "comments"])
      expect(labelsIn(destination, stream)).toEqual(three);
  },
  patienceMs,
);

test.each([
  ["after its effect", true],
  ["before its effect", false],
])(
  "an answer that is lost %s leaves one field each",
  async (_, takesEffect) => {
    const lost = new Set<string>();
    const unknown = { kind: "unknown" as const, why: "The answer was lost." };
    const connector = creating(({ create, remove }, stream) => ({
      create: async (io, field) => {
        if (stream !== "tickets" || lost.has(field.mark)) return create(io, field);
        lost.add(field.mark);
        if (takesEffect) await create(io, field);
        return unknown;
      },
      remove: async (io, mark) => {
        if (!lost.delete(mark)) return remove(io, mark);
        if (takesEffect) await remove(io, mark);
        return unknown;
      },
    }));
    const { one, destination, states } = await given({ connector });
    await one.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_completed");
    expect(lost.size).toBe(three.length);
    expect(labelsIn(destination, "tickets")).toEqual(three);
    await one.run({ type: "undo_started" });
    expect(lost.size).toBe(0);
    expect(labelsIn(destination, "tickets")).toEqual([]);
    expect(await states()).toEqual(["removed"]);
  },
  patienceMs,
);

test(
  "a field that the tool refuses ends the run before anything is copied, and is said",
  async () => {
    const { one, destination, fields } = await given({ tool: { refusesFields: true } });
    await one.run({ type: "full_started" });
    const { rows } = await fixture.db.pool.query<{ code: string; message: string }>(
      "select failure_code as code, failure_message as message from runs where import_id = $1",
      [one.importId],
    );
    expect(rows[0]?.code).toBe("field_not_created");
    expect(rows[0]?.message).toMatch(
      /“(Color|Size|Note)” could not be created: The stand-in adds no such field/,
    );
    expect(destination.stats().written).toBe(0);
    expect((await fields()).filter(({ sourceKey }) => sourceKey !== "")).toEqual([]);
  },
  patienceMs,
);

test(
  "a run that ends right after it created a field can be undone",
  async () => {
    const connector = creating();
    const streams = (connector.destination?.helpdesk ?? []).map(
      (stream): DestinationStream => ({
        ...stream,
        write: async (_, batch) =>
          batch.map(() => ({ kind: "rejected", code: "too_odd", message: "The tool did not like it." })),
      }),
    );
    const { one, destination } = await given({
      connector: { ...connector, destination: { helpdesk: streams } },
      status: "waiting_for_sample",
    });
    await one.run({ type: "sample_started" });
    expect(labelsIn(destination, "tickets")).toEqual(three);
    await one.run({ type: "undo_started" });
    expect(labelsIn(destination, "tickets")).toEqual([]);
  },
  patienceMs,
);

test(
  "a field that holds a person's value stays after an undo, with the reason",
  async () => {
    const { one, destination, fields } = await given();
    await one.run({ type: "full_started" });
    const color = destination
      .fields("tickets")
      .all()
      .find(({ label }) => label === "Color");
    const [copy] = destination.written("tickets").all();
    // Edited by a person, so that the undo keeps it.
    destination.written("tickets").edit(copy?.id ?? "", { customFields: { [color?.key ?? ""]: "green" } });
    await one.run({ type: "undo_started" });
    expect(labelsIn(destination, "tickets")).toEqual(["Color"]);
    const kept = (await fields()).filter(({ state, stream }) => state === "kept" && stream === "tickets");
    expect(kept.map(({ field, reason }) => [field?.label, reason])).toEqual([["Color", "field_in_use"]]);
  },
  patienceMs,
);

test(
  "a field that another import fills stays after an undo, although it holds nothing yet",
  async () => {
    const first = await given();
    await first.one.run({ type: "full_started" });
    const { destination } = first;
    // The second import finds the fields of the first one and is matched with them.
    const shown = destination.fields("tickets").all();
    const refuses = creating();
    const streams = (refuses.destination?.helpdesk ?? []).map(
      (stream): DestinationStream => ({
        ...stream,
        customFields: async () => (stream.stream.name === "tickets" ? shown : []),
        write: async (_, batch) =>
          batch.map(() => ({ kind: "rejected", code: "too_odd", message: "The tool did not like it." })),
      }),
    );
    const connector = { ...refuses, destination: { helpdesk: streams } };
    const second = await given({ connector, destination });
    await second.one.run({ type: "full_started" });
    const found = (await second.fields()).filter(
      ({ state, sourceKey }) => state === "found" && sourceKey !== "",
    );
    expect(found.map(({ stream, field }) => [stream, field?.label])).toEqual(
      three.map((label) => ["tickets", label]),
    );
    await first.one.run({ type: "undo_started" });
    expect(labelsIn(destination, "tickets")).toEqual(three);
    const kept = (await first.fields()).filter(({ state }) => state === "kept");
    expect(new Set(kept.map(({ stream, reason }) => `${stream} ${reason}`))).toContain(
      "tickets used_by_another_import",
    );
  },
  patienceMs,
);

test(
  "the field for external keys is created once for all imports of an account, and stays while one needs it",
  async () => {
    const first = await given({ tool: { keyField: "missing" } });
    await first.one.run({ type: "full_started" });
    expect(await first.one.status()).toBe("migration_completed");
    const { destination } = first;
    const second = await given({ destination });
    await second.one.run({ type: "full_started" });
    expect(await second.one.status()).toBe("migration_completed");
    expect(destination.fields("tickets").keyFields()).toHaveLength(1);
    const keyState = async ({ fields }: typeof first) =>
      (await fields()).find(({ stream, sourceKey }) => stream === "tickets" && sourceKey === "")?.state;
    expect(await keyState(first)).toBe("created");
    expect(await keyState(second)).toBe("found");
    await first.one.run({ type: "undo_started" });
    expect(await keyState(first)).toBe("kept");
    await second.one.run({ type: "undo_started" });
    // Only the import that created it may remove it.
    expect(destination.fields("tickets").keyFields()).toHaveLength(1);

    const alone = await given({ tool: { keyField: "missing" } });
    await alone.one.run({ type: "full_started" });
    await alone.one.run({ type: "undo_started" });
    expect(alone.destination.fields("tickets").keyFields()).toEqual([]);
  },
  patienceMs,
);
