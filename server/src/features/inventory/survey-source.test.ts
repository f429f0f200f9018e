import { type FamilyRecord, helpdesk, type SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { createLog } from "../../platform/log.ts";
import { mappingSchema } from "../mapping/index.ts";
import { countChosen } from "./count-chosen.ts";
import { createSurveys } from "./survey-source.ts";

const day = 24 * 3_600_000;
const begin = Date.parse("2010-01-01T00:00:00Z");
const total = 10_000;
const dateOf = (index: number) => new Date(begin + index * day).toISOString();

/** As an export is: sorted by date, and without a way to begin in the middle. */
const exported = {
  stream: helpdesk.tickets,
  delta: false,
  readPage: async (_, { cursor }) => {
    const from = Number(cursor?.["from"] ?? 0);
    const records = Array.from({ length: 1_000 }, (__, index) => ({
      id: `t${from + index}`,
      createdAt: dateOf(from + index),
      updatedAt: dateOf(from + index),
    })) as unknown as readonly FamilyRecord[];
    return { records, next: from + 1_000 < total ? { from: from + 1_000 } : null };
  },
  readByIds: async () => [],
} as SourceStream;

test("a share by dates is wrong for a stream that is read from its beginning alone: files offer no dates", async () => {
  const connector = { source: { helpdesk: [exported] } };
  const opened = { kind: "open", connector, revision: 1, io: () => ({}) } as never;
  const surveys = createSurveys({ log: createLog("silent"), openSide: async () => opened });
  const survey = await surveys.of("imp_1", "helpdesk");
  surveys.close();
  const look = { stream: helpdesk.tickets, count: total, exact: true };
  const counts = { kind: "counts", counting: false, opened, streams: [{ from: exported, look }] } as never;
  const { selection } = mappingSchema.parse({ selection: { changedFrom: dateOf(total / 2) } });
  const { streams } = await countChosen(counts, survey, "helpdesk", selection);
  // Half of them is chosen, and the first 2,000 say: none. The price would follow.
  expect(streams).toEqual([{ stream: "tickets", all: total, chosen: 0, exact: false }]);
});
