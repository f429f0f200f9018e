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

test.each([
  "create index imports_x on imports (id);",
  "create unique index imports_x on imports (id);",
  "create table moves (id text);\ncreate index imports_x on imports (id);",
])("finds an index under a lock: %s", (sql) => {
  expect(migrationViolations(named(sql))).toHaveLength(1);
  expect(migrationViolations({ name: "000048_x.sql", sql })).toEqual([]);
  const small = "-- Small table: it has a row per tool, of which there are dozens.\n";
  expect(migrationViolations(named(small + sql))).toEqual([]);
  expect(migrationViolations(named(`-- Small table: yes\n${sql}`))).toHaveLength(1);
});

const concurrently = "-- Concurrently: the table is large.\n";

test.each([
  "create index concurrently imports_x on imports (id);",
  "create index imports_x on imports (id);",
  "alter table imports add column color text;",
  "create index concurrently if not exists imports_x on imports (id);\nupdate imports set reference = null;",
])("finds what can't be repeated without a transaction: %s", (sql) => {
  expect(migrationViolations(named(concurrently + sql))).toHaveLength(1);
});

test.each([
  "create table moves (id text);\ncreate index moves_x on moves (id);",
  `${concurrently}create index concurrently if not exists imports_x on imports (id) where status = 'a';\ndrop index concurrently if exists imports_y;`,
])("accepts %s", (sql) => {
  expect(migrationViolations(named(sql))).toEqual([]);
});
