import { ConnectorError } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BeginOptions, createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { createLog } from "../../../platform/log.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const connector = standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" }) as never;

interface Line {
  readonly msg: string;
  readonly [field: string]: unknown;
}

const begin = async (options: BeginOptions = {}) => {
  const source = await startStandIn({ counts: { users: 2, contacts: 3, tickets: 10 }, hostile: false });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const lines: string[] = [];
  const one = await fixture.begin(
    { connector, tool: source },
    { connector, tool: destination },
    { ...options, log: createLog("info", { write: (line) => void lines.push(line) }) },
  );
  const about = () => {
    const parsed = lines.map((line) => JSON.parse(line) as Line);
    return parsed.filter(({ msg }) => msg === "run began" || msg === "run ended");
  };
  return { one, about, text: () => lines.join("") };
};

const run = (importId: string, kind: string) => ({
  level: 30,
  run_id: expect.stringMatching(/^run_/) as string,
  import_id: importId,
  kind,
});
const records = { created: 0, updated: 0, matched: 0, skipped: 0, failed: 0, removed: 0, kept: 0 };

test("a run is logged once when it begins and once when it ends, with what became of its records", async () => {
  const { one, about } = await begin();
  await one.move({ type: "full_started" });
  const { rows } = await fixture.db.pool.query<{ id: number }>(
    "select id from outbox where import_id = $1 and effect ->> 'kind' = 'start_run'",
    [one.importId],
  );
  const chunks = await one.dispatch();
  await one.runs.startRun({
    importId: one.importId,
    kind: "full",
    causes: null,
    outboxId: rows[0]?.id ?? 0,
  });
  expect(about()).toMatchObject([{ ...run(one.importId, "full"), msg: "run began" }]);
  // Each chunk twice: both come to the end of the run.
  await one.work(chunks, 2);
  await one.runs.findOverdue(100);
  const [began, ended, ...more] = about();
  expect(ended).toMatchObject({
    ...run(one.importId, "full"),
    msg: "run ended",
    outcome: "done",
    records: { ...records, created: 15 },
  });
  expect([ended?.["run_id"], more]).toEqual([began?.["run_id"], []]);
  await one.run({ type: "undo_started" });
  expect(about().slice(2)).toMatchObject([
    { ...run(one.importId, "undo"), msg: "run began" },
    { ...run(one.importId, "undo"), outcome: "done", records: { ...records, removed: 15 } },
  ]);
});

test("a failed run is logged with the code of its failure, without what the tool said", async () => {
  const { one, about, text } = await begin({
    chooseMapping: async () => {
      throw new ConnectorError({
        recovery: "abort",
        code: "payment_required",
        message: "Acme Desk asks Kim for a payment (402).",
      });
    },
  });
  await one.run({ type: "full_started" });
  expect(about()).toMatchObject([
    { msg: "run began" },
    { ...run(one.importId, "full"), outcome: "failed", code: "payment_required", records },
  ]);
  expect(text()).not.toContain("Kim");
});

test("an end that is not committed is not logged", async () => {
  const { pool } = fixture.db;
  await pool.query(`
    create function refuse_end() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create constraint trigger refuse_end after update on runs deferrable initially deferred
      for each row when (new.ended_at is not null) execute function refuse_end()`);
  const allow = () =>
    pool.query("drop trigger if exists refuse_end on runs; drop function if exists refuse_end");
  onTestFinished(async () => void (await allow()));
  const { one, about } = await begin();
  await one.run({ type: "full_started" });
  expect(about()).toMatchObject([{ msg: "run began" }]);
  await allow();
  await one.runs.findOverdue(100);
  expect(about()).toMatchObject([{ msg: "run began" }, { msg: "run ended", outcome: "done" }]);
});
