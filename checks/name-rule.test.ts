import { join } from "node:path";
import { expect, test } from "vitest";
import { nameViolations, readServerSources } from "./name-rule.ts";

test("every exported name of the server is declared by one file", () => {
  const sources = readServerSources(join(import.meta.dirname, ".."));
  expect(sources.length).toBeGreaterThan(500);
  expect(nameViolations(sources)).toEqual([]);
});

const report = { file: "server/src/features/a/report.ts", text: "export interface Report {}\n" };
const named = (text: string) => nameViolations([report, { file: "server/src/http/b.ts", text }]);

test.each([
  "export interface Report {}",
  "export type Report = string;",
  "export class Report {}",
  "export abstract class Report {}",
  "export const Report = 1;",
  "export async function Report() {}",
  "const Report = 1;\nexport { Report };",
  'export { type Account as Report } from "./account.ts";',
  'export {\n  // Which one?\n  Account,\n  type Balance as Report,\n} from "./account.ts";',
])("finds the same name: %s", (text) => {
  expect(named(text)).toEqual([
    "Report: exported by server/src/features/a/report.ts and server/src/http/b.ts. Rename one by what it is",
  ]);
});

test.each([
  "interface Report {}",
  'export { type Report } from "../features/a/report.ts";',
  'export type { Report } from "../features/a/report.ts";',
  'import type { Report } from "../features/a/report.ts";\nexport type { Report };',
  'export { Report as Account } from "../features/a/report.ts";',
  "export type Reports = string;\nexport const Reports = 1;",
])("accepts %s", (text) => {
  expect(named(text)).toEqual([]);
});
