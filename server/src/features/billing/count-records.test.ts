import { ConnectorError, type DateRange, helpdesk, type SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import type { SourceCounts } from "../inventory/index.ts";
import { mappingSchema } from "../mapping/index.ts";
import { createCountRecords } from "./count-records.ts";

const importRow = { id: "imp_1", family: "helpdesk" } as const;
const all = 500;

type CountWithin = NonNullable<SourceStream["countWithin"]>;

const given = (selection: object, countWithin?: CountWithin) => {
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

test("when the tool can't count by date, all records count", async () => {
  const silent: CountWithin = async () => null;
  const counted = { kind: "counted", records: 2 * all };
  expect(await given({ createdFrom: from })).toEqual(counted);
  expect(await given({ createdFrom: from }, silent)).toEqual(counted);
});

test("a tool that is down gives no count instead of the count of all records", async () => {
  const down: CountWithin = () =>
    Promise.reject(new ConnectorError({ recovery: "retry", code: "unavailable", message: "It is down." }));
  expect(await given({ createdFrom: from }, down)).toEqual({ kind: "counting" });
});
