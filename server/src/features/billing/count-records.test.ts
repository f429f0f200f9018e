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

test("who chose dates pays for what falls into them, and for all that has none", async () => {
  const asked: DateRange[] = [];
  const countWithin: CountWithin = async (_io, range) => {
    asked.push(range);
    return 20;
  };
  expect(await given({ changedFrom: from }, countWithin)).toEqual({ kind: "counted", records: 20 + all });
  expect(asked).toEqual([{ createdFrom: null, createdBefore: null, changedFrom: from }]);
});

test("without dates nobody asks by them", async () => {
  const never: CountWithin = () => Promise.reject(new Error("asked"));
  expect(await given({}, never)).toEqual({ kind: "counted", records: 2 * all });
});

test("where the tool can't tell, all that there is counts", async () => {
  const silent: CountWithin = async () => null;
  const counted = { kind: "counted", records: 2 * all };
  expect(await given({ createdFrom: from })).toEqual(counted);
  expect(await given({ createdFrom: from }, silent)).toEqual(counted);
});

test("a tool that is down makes no price of all that there is", async () => {
  const down: CountWithin = () =>
    Promise.reject(new ConnectorError({ recovery: "retry", code: "unavailable", message: "It is down." }));
  expect(await given({ createdFrom: from }, down)).toEqual({ kind: "counting" });
});
