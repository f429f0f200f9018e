import { join } from "node:path";
import { expect, test } from "vitest";
import { readSqlSources, sqlViolations } from "./sql-rule.ts";

test("every file sends SQL as ADR 2 says", () => {
  const sources = readSqlSources(join(import.meta.dirname, ".."));
  expect(sources.filter(({ text }) => text.startsWith("// Hot: ")).length).toBeGreaterThan(5);
  expect(sources.flatMap(sqlViolations)).toEqual([]);
});

const hot = "// Hot: every request runs it.\n";
const viaPool = 'await db.pool.query("select 1");\n';
const viaClient = 'await client.query<Row>("select 1");\n';
const viaKysely = 'import { sql } from "kysely";\nawait sql`select 1`.execute(tx);\n';

test.each([
  ["text in a store that does not say why", "store.ts", viaPool],
  ["text through a client of the pool", "store-lease.ts", viaClient],
  ["the reason below the first line", "store.ts", `\n${hot}${viaPool}`],
  ["a hot store that uses Kysely as well", "store.ts", `${hot}${viaKysely}${viaPool}`],
  ["a builder in a hot store", "store.ts", `${hot}${viaPool}db.sql.selectFrom("runs");\n`],
  ["a reason without text", "store.ts", `${hot}${viaKysely}`],
  ["text outside of a store", "move.ts", viaPool],
])("finds %s", (_, name, text) => {
  expect(sqlViolations({ file: `server/src/features/imports/${name}`, text })).toHaveLength(1);
});

test.each([
  ["a hot store", "store-claim.ts", `${hot}${viaPool}${viaClient}`],
  ["a store that uses Kysely", "store.ts", viaKysely],
  ["a file without SQL", "move.ts", "route.query(request.query);\n"],
])("accepts %s", (_, name, text) => {
  expect(sqlViolations({ file: `server/src/features/imports/${name}`, text })).toEqual([]);
});
