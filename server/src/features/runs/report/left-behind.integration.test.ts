import { type Connector, ConnectorError } from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { addsUp, makeReport } from "./report.ts";
import { reportCsv } from "./report-csv.ts";
import { findReportedRun } from "./store-report.ts";
import { summaryOf } from "./summary.ts";

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
  users: 2,
  tickets: 5,
  comments: 3,
  contacts: 7,
  organizations: 0,
  groups: 0,
  articles: 3,
  attachments: 0,
};
const connector = standInConnector({
  family: "helpdesk",
  paging: "keyset",
  pageSize: 20,
  settles: "lookup",
}) as never as Connector<never>;

describe("kinds that are not moved at all", () => {
  const without = (...names: readonly string[]) => ({
    ...connector,
    destination: {
      helpdesk: (connector.destination?.helpdesk ?? []).filter(({ stream }) => !names.includes(stream.name)),
    },
  });
  const beginWithout = async (from: Connector<never>) => {
    const source = await startStandIn({ counts, hostile: false, largeText: 100 });
    const destination = await startStandIn({ seed: "destination", upserts: false });
    tools.push(source, destination);
    const one = await fixture.begin(
      { connector: from, tool: source },
      { connector: without("contacts", "organizations"), tool: destination },
      { mapping: { includes: (stream) => stream !== "articles" } },
    );
    await one.run({ type: "full_started" });
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    let csv = "";
    for await (const piece of reportCsv(fixture.db, one.importId, {
      run,
      family: "helpdesk",
      addressOf: () => null,
    }))
      csv += piece;
    return { one, csv, report: makeReport({ importId: one.importId, family: "helpdesk" }, run) };
  };

  test("are reported with reason and number, unless the source has none", async () => {
    const { report, csv, one } = await beginWithout(connector);
    expect(report.leftBehind).toEqual([
      { stream: "articles", label: "Articles", code: "not_selected", count: 3 },
      { stream: "contacts", label: "Contacts", code: "not_supported", count: 7 },
    ]);
    expect(report.streams.map(({ stream }) => stream)).not.toContain("contacts");
    expect(addsUp(report)).toBe(true);
    expect(csv).toMatch(/^contacts,,,,left_behind,not_supported,7 contacts could not be copied/m);
    expect(csv).toMatch(/^articles,,,,left_behind,not_selected,"3 articles stayed behind, as chosen."/m);
    const found = { id: one.importId, reference: null, family: "helpdesk" as const };
    const tool = { sourceTool: "stand-in", destinationTool: "stand-in" };
    expect(summaryOf({ ...found, ...tool }, report, new Date()).left_behind).toEqual([
      { stream: "articles", reason: "not_selected", count: 3 },
      { stream: "contacts", reason: "not_supported", count: 7 },
    ]);
  });

  test("do not hold up the others if they can't be counted", async () => {
    const refuses = {
      ...connector,
      source: {
        helpdesk: (connector.source?.helpdesk ?? []).map((stream) =>
          stream.stream.name === "contacts"
            ? {
                ...stream,
                count: async () => {
                  throw new ConnectorError({ code: "forbidden", recovery: "abort", message: "Not yours." });
                },
              }
            : stream,
        ),
      },
    };
    const { report, csv } = await beginWithout(refuses);
    expect(report.leftBehind).toContainEqual({
      stream: "contacts",
      label: "Contacts",
      code: "not_supported",
      count: null,
    });
    expect(csv).toMatch(/^contacts,,,,left_behind,not_supported,Contacts could not be copied/m);
    expect(addsUp(report)).toBe(true);
  });
});
