import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../test/tools/stand-in/stand-in.ts";
import { progressOf } from "../runs/index.ts";
import { writeNotice } from "./store.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const counts = {
  users: 3,
  contacts: 4,
  tickets: 6,
  comments: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const connector = standInConnector({ family: "helpdesk", paging: "keyset", pageSize: 5 }) as never;

const count = fc.integer({ min: 0, max: 9 });
const columns = ["read", "created", "updated", "matched", "skipped", "failed", "removed", "kept"] as const;

test("an event has the figures that answers show at that moment, whatever the live run has counted", async () => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination" });
  const one = await fixture.begin({ connector, tool: source }, { connector, tool: destination });
  await one.run({ type: "full_started" });
  await Promise.all([source.close(), destination.close()]);
  const { pool } = fixture.db;
  const { rows: partitions } = await pool.query<{ no: number }>(
    "select p.no from partitions p join runs r on r.id = p.run_id where r.import_id = $1",
    [one.importId],
  );
  expect(partitions.length).toBeGreaterThan(5);
  let differed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("full", "delta", "undo"),
      fc.array(fc.tuple(...columns.map(() => count)), {
        minLength: partitions.length,
        maxLength: partitions.length,
      }),
      fc.dictionary(fc.constantFrom("tickets", "contacts", "articles"), count),
      fc.tuple(count, count, count),
      async (kind, numbers, items, [sourcePeople, destinationPeople, matchedPeople]) => {
        await pool.query(
          "update runs set ended_at = null, state = 'running', kind = $2 where import_id = $1",
          [one.importId, kind],
        );
        for (const [index, { no }] of partitions.entries())
          await pool.query(
            `update partitions set ${columns.map((name, at) => `${name} = $${at + 3}`).join(", ")}
             where no = $2 and run_id = (select id from runs where import_id = $1)`,
            [one.importId, no, ...(numbers[index] ?? [])],
          );
        await pool.query(
          `update imports set items = $2, source_people = $3, destination_people = $4, matched_people = $5,
             live_run = $6 where id = $1`,
          [one.importId, JSON.stringify(items), sourcePeople, destinationPeople, matchedPeople, kind],
        );
        const eventId = await fixture.db.sql.transaction().execute((tx) =>
          writeNotice(tx, {
            partnerId: fixture.partner.id,
            importId: one.importId,
            type: "import.attention_required",
            status: "migration_in_progress",
            previousStatus: null,
          }),
        );
        const { rows } = await pool.query<{ figures: object }>("select figures from events where id = $1", [
          eventId,
        ]);
        const shown = (await progressOf(fixture.db, [one.importId])).get(one.importId);
        expect(rows[0]?.figures).toEqual({ items: shown?.items, people: shown?.people });
        if (JSON.stringify(shown?.items) !== JSON.stringify(items)) differed += 1;
      },
    ),
    { numRuns: 60 },
  );
  // The live run counted: otherwise the comparison would say nothing.
  expect(differed).toBeGreaterThan(10);
});
