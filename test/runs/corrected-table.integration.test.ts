import type { Connector } from "@portage/connector-kit";
import { createCsv } from "@portage/connectors/csv";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredFile } from "../../connectors/csv/file-store.ts";
import { memoryFile } from "../../connectors/csv/testing/folder-store.ts";
import { columns, good, table } from "../../connectors/csv/testing/tickets.ts";
import { addsUp, makeReport } from "../../server/src/features/runs/report/report.ts";
import { findReportedRun } from "../../server/src/features/runs/report/store-report.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import { startStandIn } from "../tools/stand-in/stand-in.ts";
import { createRunsFixture } from "./runs-fixture.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const bad = (id: string) => [id, "", "open", "", ""];

test("each row of a table has its own outcome: where keys repeat, after a correction, and when changes are brought over", async () => {
  let file: StoredFile = memoryFile(
    table(good("1"), bad("7"), bad("7"), good("8"), bad("8"), good(""), good("9")),
  );
  const connector = createCsv({
    files: { open: async () => file },
    page: { rows: 2, characters: 1_000_000 },
  }) as unknown as Connector;
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const settings = {
    importId: "imp_1",
    files: { tickets: { file: "f1", dialect: {}, columns, constants: {} } },
  };
  const options = { family: "helpdesk", paging: "keyset", settles: "lookup", slices: false } as const;
  const one = await fixture.begin(
    {
      connector: connector as never,
      tool: { url: "http://files.test", token: "none" },
      settings: { ...settings, timeZone: "UTC" },
    },
    { connector: standInConnector(options) as never, tool: destination },
  );
  const outcomes = async () => {
    const { rows } = await fixture.db.pool.query<{ id: string; state: number; reason: string | null }>(
      "select source_id as id, state, reason from ledger where import_id = $1 and stream = 'tickets' order by 1",
      [one.importId],
    );
    return rows.map(({ id, state, reason }) => (state === 1 ? id : `${id} ${reason}`));
  };
  const tickets = async () => {
    const run = await findReportedRun(fixture.db, one.importId);
    if (!run) throw new Error("There is no report.");
    const { streams } = makeReport({ importId: one.importId, family: "helpdesk" }, run);
    expect(addsUp({ streams })).toBe(true);
    return streams.find(({ stream }) => stream === "tickets");
  };

  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(await outcomes()).toEqual([
    "1",
    "7 required_empty",
    "8",
    "9",
    "row-4 required_empty",
    "row-6 required_empty",
    "row-7 no_key",
  ]);
  expect(await tickets()).toMatchObject({ source: 7, written: 3, skipped: [] });

  file = memoryFile(table(good("1"), good("7"), good("10"), good("8"), bad("8"), good("11"), good("9")));
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await outcomes()).toEqual([
    "1",
    "7",
    "8",
    "9",
    "row-4 id_changed",
    "row-6 required_empty",
    "row-7 id_changed",
  ]);
  expect(await tickets()).toMatchObject({ source: 7, written: 4, skipped: [] });

  await one.run({ type: "delta_started", withinWindow: true });
  expect(await tickets()).toMatchObject({
    source: 7,
    written: 6,
    skipped: [],
    failed: [{ code: "required_empty", count: 1, examples: ["row-6"] }],
  });
  expect(destination.stats()).toMatchObject({ written: 6, duplicates: 0 });
});
