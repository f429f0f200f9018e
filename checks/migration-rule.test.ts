import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationViolations, readMigrationFiles } from "./migration-rule.ts";

test("every migration leaves the release before it working", () => {
  const files = readMigrationFiles(join(import.meta.dirname, ".."));
  expect(files.length).toBeGreaterThan(38);
  expect(files.flatMap(migrationViolations)).toEqual([]);
});

const named = (sql: string) => ({ name: "000099_x.sql", sql });

test.each([
  "drop table payments;",
  "alter table imports drop column reference;",
  "alter table imports\n  DROP\n  COLUMN reference;",
  "alter table imports rename to moves;",
  "alter table imports rename column reference to ref;",
  "alter table imports rename reference to ref;",
  "alter table imports alter column reference type uuid using reference::uuid;",
  "alter table imports alter reference set data type uuid;",
  "alter table imports alter column reference set not null;",
  "alter table imports add column color text not null;",
  "alter table imports add column a text default 'x', add column b text not null;",
  "drop view open_imports;",
  "truncate outbox;",
])("finds %s", (sql) => {
  expect(migrationViolations(named(sql))).toHaveLength(1);
  expect(migrationViolations({ name: "000039_x.sql", sql })).toEqual([]);
  const why = "-- Contract: since 0.4.0 nothing reads this, and 0.5.0 is the release before.\n";
  expect(migrationViolations(named(why + sql))).toEqual([]);
  expect(migrationViolations(named(`-- Contract: ok\n${sql}`))).toHaveLength(1);
});

test.each([
  "create table moves (id text not null);",
  "alter table imports add column color text;",
  "alter table imports add column color text not null default 'blue';",
  "alter table imports alter column reference drop not null;",
  "alter table partitions drop constraint partitions_task_check;",
  "drop index imports_idle;",
  "-- drop table payments\nselect 'rename to; drop table x';",
])("accepts %s", (sql) => {
  expect(migrationViolations(named(sql))).toEqual([]);
});
