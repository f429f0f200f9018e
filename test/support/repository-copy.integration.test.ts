import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linkPackages } from "./repository-copy.ts";

test("what npm installs in a copy does not show in the original", () => {
  const folder = mkdtempSync(join(tmpdir(), "portage-links-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = (of: string) => join(folder, of, "node_modules/.package-lock.json");
  mkdirSync(join(folder, "original/node_modules"), { recursive: true });
  mkdirSync(join(folder, "copy"));
  writeFileSync(list("original"), "original");
  linkPackages(join(folder, "original"), join(folder, "copy"));
  expect(readFileSync(list("copy"), "utf8")).toBe("original");
  writeFileSync(list("copy"), "changed");
  expect(readFileSync(list("original"), "utf8")).toBe("original");
});
