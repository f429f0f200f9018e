import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPortage } from "./portage.ts";

const rows = readFileSync(join(import.meta.dirname, "../README.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"));

test("the README's table has every call", () => {
  const portage = createPortage({ url: "https://portage.example", token: "token" });
  const calls = Object.entries(portage).flatMap(([area, names]) =>
    Object.keys(names as object).map((name) => [area, name] as const),
  );
  expect(calls.length).toBeGreaterThan(15);
  // A row may name several: `webhookEndpoint.set({ url })`, `.show()`.
  const isIn = (area: string, name: string) => (row: string) =>
    row.includes(`\`${area}.`) && row.includes(`.${name}(`);
  expect(calls.filter(([area, name]) => !rows.some(isIn(area, name)))).toEqual([]);
});
