import { ConnectorError, type DateRange, helpdesk, type SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import type { SourceCounts } from "../inventory/index.ts";
import { choosable, type ChoosableFields, mappingSchema } from "../mapping/index.ts";
import { createCountRecords } from "./count-records.ts";

const importRow = { id: "imp_1", family: "helpdesk" } as const;
const all = 500;

type CountWithin = NonNullable<SourceStream["countWithin"]>;

type Surveyed = Awaited<ReturnType<Parameters<typeof createCountRecords>[0]["surveys"]["of"]>>;

/** One in four of the tickets that were seen is closed. */
const seen = (isAll: boolean): Surveyed => ({
  kind: "read",
  survey: {
    streams: [
      {
        from: { stream: helpdesk.tickets } as unknown as SourceStream,
        fields: choosable.helpdesk["tickets"] as ChoosableFields,
        records: Array.from({ length: 40 }, (_, index) =>
          helpdesk.tickets.make({
            id: String(index),
            subject: "Help",
            status: index % 4 === 0 ? "Closed" : "Open",
            statusKind: "open",
            createdAt: index < 10 ? "2024-06-01T00:00:00Z" : "2025-06-01T00:00:00Z",
          }),
        ),
        all: isAll,
      },
    ],
    groupNames: new Map(),
  },
});

const given = (selection: object, countWithin?: CountWithin, survey: Surveyed = { kind: "failed" }) => {
  const streamOf = (stream: unknown, more: object) => ({
    from: { stream, ...more },
    look: { count: all },
  });
  const counts = {
    kind: "counts",
    opened: { io: (signal: AbortSignal) => ({ signal }) },
    counting: false,
    trouble: null,
    streams: [streamOf(helpdesk.tickets, countWithin ? { countWithin } : {}), streamOf(helpdesk.groups, {})],
  } as unknown as SourceCounts;
  const countRecords = createCountRecords({
    counter: { of: async () => counts },
    surveys: { of: async () => survey },
    loadMapping: async () => ({ mapping: mappingSchema.parse({ selection }) }),
  });
  return countRecords(importRow, ["tickets", "groups"]);
};

const from = "2025-01-01T00:00:00Z";

test("a date range counts the records inside it, and all records of streams without dates", async () => {
  const asked: DateRange[] = [];
  const countWithin: CountWithin = async (_io, range) => {
    asked.push(range);
    return 20;
  };
  expect(await given({ changedFrom: from }, countWithin)).toEqual({ kind: "counted", records: 20 + all });
  expect(asked).toEqual([{ createdFrom: null, createdBefore: null, changedFrom: from }]);
});

test("without a date range the counter never counts by date", async () => {
  const never: CountWithin = () => Promise.reject(new Error("asked"));
  expect(await given({}, never)).toEqual({ kind: "counted", records: 2 * all });
});

test("what the tool can't count is estimated by the share of the records that were seen", async () => {
  const silent: CountWithin = async () => null;
  const counted = { kind: "counted", records: all * 0.75 + all };
  expect(await given({ createdFrom: from }, undefined, seen(false))).toEqual(counted);
  expect(await given({ createdFrom: from }, silent, seen(false))).toEqual(counted);
  const open = { statuses: { mode: "except", values: ["Closed"] } };
  expect(await given(open, undefined, seen(false))).toEqual(counted);
});

test("a tool counts only by the dates that it knows: another limit counts what was seen", async () => {
  const never: CountWithin = () => Promise.reject(new Error("asked"));
  const both = { createdFrom: from, statuses: { mode: "only", values: ["Closed"] } };
  // All were seen: of the 30 newer ones, 7 are closed.
  expect(await given(both, never, seen(true))).toEqual({ kind: "counted", records: 7 + all });
});

test("while nothing was seen, there is no price; where nothing can be seen, all records count", async () => {
  expect(await given({ createdFrom: from })).toEqual({ kind: "counting" });
  expect(await given({ createdFrom: from }, undefined, { kind: "reading" })).toEqual({ kind: "counting" });
  const none: Surveyed = { kind: "read", survey: { streams: [], groupNames: new Map() } };
  expect(await given({ createdFrom: from }, undefined, none)).toEqual({ kind: "counted", records: 2 * all });
});

test("a tool that is down gives no count instead of the count of all records", async () => {
  const down: CountWithin = () =>
    Promise.reject(new ConnectorError({ recovery: "retry", code: "unavailable", message: "It is down." }));
  expect(await given({ createdFrom: from }, down)).toEqual({ kind: "counting" });
});
