import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { erasedTables, keptAfterErasure } from "../erasure/index.ts";
import { keptDays } from "../events/index.ts";
import { keptHours } from "../idempotency/index.ts";
import { deliveriesKeptDays } from "../webhooks/index.ts";
import { auditKeptDays } from "../staff/index.ts";
import { closedKeptDays, outboxKeptDays } from "./periods.ts";
import { tableRules } from "./table-rules.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test("every table has a rule, and every rule a table", async () => {
  // Partitions of the ledger are covered by the ledger's rule.
  const { rows } = await db.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> 'schema_migrations'`,
  );
  expect(Object.keys(tableRules).map(snakeCase).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test("an erasure deletes exactly the tables whose rule says so", () => {
  const deleted = Object.entries(tableRules).filter(([, { atErasure }]) => atErasure === "deleted");
  expect(deleted.map(([name]) => name).toSorted()).toEqual([...erasedTables].toSorted());
});

test("a table with data of an import is deleted, cleared or kept for a reason", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'import_id' and table_name !~ '^ledger_'`,
  );
  const none = Object.entries(tableRules).filter(([, { atErasure }]) => atErasure === "none");
  expect(
    rows.map(({ name }) => name).filter((name) => none.some(([rule]) => snakeCase(rule) === name)),
  ).toEqual([]);
});

test("the receipt of an erasure names every table that keeps something, and no other", () => {
  const keeps = Object.entries(tableRules).filter(
    ([, { atErasure }]) => atErasure === "kept" || atErasure === "cleared",
  );
  expect(keptAfterErasure.flatMap(({ tables }): readonly string[] => tables).toSorted()).toEqual(
    keeps.map(([name]) => snakeCase(name)).toSorted(),
  );
});

test("the documentation lists every table with its rule", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../../docs/retention.md"), "utf8");
  for (const [name, { kept, atErasure }] of Object.entries(tableRules))
    expect(text).toContain(
      `| \`${snakeCase(name)}\` | ${kept} | ${atErasure === "none" ? "–" : atErasure} |`,
    );
});

test("the receipt of an erasure names the periods that apply", () => {
  const untilOf = (what: RegExp) => keptAfterErasure.find((each) => what.test(each.what))?.until;
  expect(untilOf(/changes/)).toContain(`${closedKeptDays} days after the import was closed`);
  expect(untilOf(/events/)).toBe(`${keptDays} days after the event`);
  expect(deliveriesKeptDays).toBe(keptDays);
  expect(untilOf(/idempotency/)).toBe(`${keptHours} hours after the request`);
  expect(untilOf(/orders of work/)).toBe(`${outboxKeptDays} days after each was carried out`);
  expect(untilOf(/staff/)).toBe(`${auditKeptDays} days after the call`);
  expect(untilOf(/accounts/)).toBe(tableRules.accountSlots.kept);
});
