import type { SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { refusing, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { addsUp, makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";
import { progressOf } from "../progress/progress.ts";

const { given, opened } = useKinds();

/** Lists skip some tickets, as if rows had moved while they were read; the sweep sees them. */
const skipping =
  (isSkipped: (id: string) => boolean) =>
  (stream: SourceStream): SourceStream =>
    stream.stream.name === "tickets"
      ? {
          ...stream,
          readPage: async (io, at) => {
            const page = await stream.readPage(io, at);
            return { ...page, records: page.records.filter(({ id }) => !isSkipped(id)) };
          },
        }
      : stream;

test("what belongs to a record that the sweep copied late is copied in the same run, and counted once", async () => {
  const { one, destination } = await given({ reading: skipping((id) => Number(id) <= 60) });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  const rows = await one.ledger();
  expect(rows.filter(({ reason }) => reason === "parent_missing")).toEqual([]);
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  const run = await findReportedRun(opened(), one.importId);
  if (!run) throw new Error("There is no report.");
  expect(addsUp(makeReport({ importId: one.importId, family: "helpdesk" }, run))).toBe(true);
  const shown = (await progressOf(opened(), [one.importId], { causes: true })).get(one.importId);
  expect(shown?.items).toMatchObject({ tickets: 150, comments: 120 });
  expect(shown?.findings.filter(({ code }) => code === "parent_missing")).toEqual([]);
});

test("what belongs to a record that is never copied is left out once, however often it is looked at", async () => {
  const { one } = await given({
    connector: refusing((stream, { id }) => stream === "tickets" && Number(id) <= 60),
  });
  await one.run({ type: "full_started" });
  const left = (await one.ledger()).find(({ reason }) => reason === "parent_missing")?.n ?? 0;
  expect(left).toBeGreaterThan(0);
  const shown = (await progressOf(opened(), [one.importId], { causes: true })).get(one.importId);
  expect(shown?.findings.find(({ code }) => code === "parent_missing")?.count).toBe(left);
});
