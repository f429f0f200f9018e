import type { Connector, Outcome } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { makeReport } from "../report/report.ts";
import { findReportedRun } from "../report/store-report.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
const tools: StandIn[] = [];
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(async () => {
  await Promise.all(tools.map((tool) => tool.close()));
  await fixture.drop();
});

const counts = {
  users: 3,
  tickets: 1_200,
  comments: 2_400,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const connector = standInConnector({
  family: "helpdesk",
  paging: "keyset",
  pageSize: 100,
  settles: "lookup",
}) as never as Connector<never>;
const rejected = (code: string): Outcome => ({ kind: "rejected", code, message: "No." });

/** Of twelve tickets ten lack something that the destination requires, one is too large, and one is fine. */
const whyRefused = (id: string) =>
  Number(id) % 6 !== 0 ? "required_empty" : Number(id) % 12 === 0 ? "too_large" : null;

test("a cause that kept 1,000 records out is mended once: exactly those are retried, with what belongs to them", async () => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  tools.push(source, destination);
  let isMended = false;
  const sent = new Map<string, string[]>();
  const picky = refusing(connector, (stream, { id }) => {
    sent.set(stream, [...(sent.get(stream) ?? []), id]);
    const code = stream === "tickets" ? whyRefused(id) : null;
    return code === null || (isMended && code === "required_empty") ? null : rejected(code);
  });
  const one = await fixture.begin(
    { connector, tool: source },
    { connector: picky, tool: destination },
    // On a busy machine a write that is cut off is looked up and sent again, which is no retry of ours.
    { times: { leaseMs: 120_000, writeMs: 60_000 } },
  );
  const reportOf = async (stream: string) => {
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    const { streams } = makeReport({ importId: one.importId, family: "helpdesk" }, run);
    return streams.find((each) => each.stream === stream);
  };
  await one.run({ type: "full_started" });
  const before = await reportOf("tickets");
  expect(before).toMatchObject({
    written: 100,
    failed: [
      { code: "required_empty", count: 1_000 },
      { code: "too_large", count: 100 },
    ],
  });
  const orphans = (await reportOf("comments"))?.skipped[0]?.count ?? 0;
  expect(orphans).toBeGreaterThan(500);

  isMended = true;
  sent.clear();
  await one.run({
    type: "retry_started",
    withinWindow: true,
    causes: [{ stream: "tickets", code: "required_empty" }],
  });
  expect([...sent.keys()].toSorted()).toEqual(["comments", "tickets"]);
  expect(sent.get("tickets")?.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 1_200 }, (_, index) => `${index + 1}`).filter((id) => Number(id) % 6 !== 0),
  );
  expect(await reportOf("tickets")).toMatchObject({
    written: 1_100,
    failed: [{ code: "too_large", count: 100 }],
  });
  // What belongs to tickets that are still too large stays out.
  const left = (await reportOf("comments"))?.skipped[0]?.count ?? 0;
  expect(left).toBeLessThan(orphans);
  expect(sent.get("comments")).toHaveLength(orphans - left);
  expect(destination.stats()).toMatchObject({ duplicates: 0 });
});
