import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

interface MigrationFile {
  readonly name: string;
  readonly sql: string;
}

/** Earlier migrations are older than this rule, and than any release. */
const firstNumber = 40;

/** What breaks the release before, whose processes still run while this migration is applied and after a way back. */
const breaking: readonly (readonly [what: string, form: RegExp])[] = [
  ["drops something that it may read", /\bdrop\s+(table|column|view|materialized\s+view|function|type)\b/],
  ["renames something that it may read", /\brename\s+(to|column|constraint)\b|\brename\s+"?\w+"?\s+to\b/],
  ["changes the type of a column that it may read", /\balter\s+(column\s+)?"?\w+"?\s+(set\s+data\s+)?type\b/],
  ["requires a column that it does not write", /\bset\s+not\s+null\b/],
  [
    "adds a required column that it does not write",
    /\badd\s+column\s+(if\s+not\s+exists\s+)?(?![^,;]*\bdefault\b)(?![^,;]*\bgenerated\b)[^,;]*\bnot\s+null\b/,
  ],
  ["empties a table", /\btruncate\b/],
];

/** From here on: earlier ones built indexes under a lock. */
const firstConcurrent = 49;

const besideWriters = /^-- Concurrently: \S/m;
const smallTable = /^-- Small table: \S.{20,}$/m;
const plainIndex = /\bcreate\s+(?:unique\s+)?index\s+(?!concurrently\b)[^;]*?\bon\s+(?:only\s+)?"?(\w+)"?/g;
const concurrentIndex =
  /^\s*(?:create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists|drop\s+index\s+concurrently\s+if\s+exists)\b/;

/** An index on a table that may be large is built beside writers, by a migration that does nothing else and may be repeated. */
const indexViolations = ({ name, sql }: MigrationFile): readonly string[] => {
  if (Number(name.slice(0, 6)) < firstConcurrent) return [];
  const text = withoutTexts(sql);
  if (besideWriters.test(sql))
    return text
      .split(";")
      .filter((statement) => statement.trim() !== "" && !concurrentIndex.test(statement))
      .map(
        () =>
          `${name}: a migration with "-- Concurrently: …" is no transaction, so that it may only create and drop indexes, "concurrently if not exists"`,
      );
  if (smallTable.test(sql)) return [];
  return [...text.matchAll(plainIndex)].flatMap(([, table = ""]) =>
    new RegExp(`\\bcreate\\s+(?:unlogged\\s+)?table\\s+(?:if\\s+not\\s+exists\\s+)?${table}\\b`).test(text)
      ? []
      : [
          `${name}: builds an index on ${table} under a lock, and writers wait. Build it concurrently, in a migration of its own with "-- Concurrently: …", or say why the table stays small with "-- Small table: …"`,
        ],
  );
};

/** The line that allows it: why no process of the release before uses what goes. */
const explained = /^-- Contract: \S.{20,}$/m;

/** Texts and comments say nothing to PostgreSQL. */
const withoutTexts = (sql: string) =>
  sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase();

/** How a migration breaks the rule "first add, then deploy, then remove": docs/operators/upgrade.md. */
export const migrationViolations = ({ name, sql }: MigrationFile): readonly string[] => {
  const locking = indexViolations({ name, sql });
  if (Number(name.slice(0, 6)) < firstNumber || explained.test(sql)) return locking;
  const text = withoutTexts(sql);
  const broken = breaking.flatMap(([what, form]) =>
    form.test(text)
      ? [
          `${name}: ${what}, and the release before still runs. Remove it one release later, and say why with "-- Contract: …"`,
        ]
      : [],
  );
  return [...broken, ...locking];
};

export const readMigrationFiles = (root: string): readonly MigrationFile[] =>
  globSync("server/migrations/*.sql", { cwd: root })
    .toSorted()
    .map((file) => ({ name: basename(file), sql: readFileSync(join(root, file), "utf8") }));
