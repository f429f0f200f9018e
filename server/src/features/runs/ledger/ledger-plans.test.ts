import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const runs = join(import.meta.dirname, "..");
const planned = readFileSync(join(import.meta.dirname, "ledger-plans.integration.test.ts"), "utf8");

/** Counts all rows of a stream, once before a run: no key would make it faster. */
const readsAll = new Set(["countCopied"]);

/** The exported functions of a file whose SQL reads or changes the ledger. */
const queriesIn = (text: string): readonly string[] =>
  text.split(/^(?=(?:export )?const )/m).flatMap((part) => {
    const name = /^export const (\w+) = async/.exec(part)?.[1];
    const isOnLedger = /\b(?:from|into|update|join) (?:\$\{(?:lease\.)?leaf\}|ledger\b)/.test(part);
    return name !== undefined && isOnLedger ? [name] : [];
  });

test("every query on the ledger is among those whose plans are checked", () => {
  const files = globSync("**/store-*.ts", { cwd: runs }).filter((file) => !file.endsWith(".test.ts"));
  const queries = files.flatMap((file) => queriesIn(readFileSync(join(runs, file), "utf8")));
  expect(queries.length).toBeGreaterThan(15);
  const isPlanned = (name: string) => planned.includes(`await ${name}(watched, `);
  expect(queries.filter((name) => !readsAll.has(name) && !isPlanned(name))).toEqual([]);
});

test("a query on the ledger is recognized", () => {
  const text = `
export const one = async (db) => db.query(\`select 1 from \${leaf} l\`);
export const two = async (db) => db.query(\`select 1 from runs\`);
const three = (leaf) => \`update \${leaf} set\`;
export const four = async (db) => db.query("select count(*) from ledger where true");
`;
  expect(queriesIn(text)).toEqual(["one", "four"]);
});
