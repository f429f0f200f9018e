import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { firstLoad } from "./first-load.ts";

test("counts the page, its styles, its scripts and what these import, each once", () => {
  const folder = mkdtempSync(join(tmpdir(), "portage-first-load-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "_astro"));
  writeFileSync(
    join(folder, "index.html"),
    '<link rel="stylesheet" href="/docs/_astro/a.css"><script type="module" src="/docs/_astro/a.js"></script><script src="https://example.com/b.js"></script>',
  );
  writeFileSync(join(folder, "_astro/a.css"), "a{}");
  writeFileSync(join(folder, "_astro/a.js"), 'import"./b.js";import{c}from"./c.js";import("./later.js")');
  writeFileSync(join(folder, "_astro/b.js"), 'import "./c.js"');
  writeFileSync(join(folder, "_astro/c.js"), "1");
  const loaded = firstLoad(folder, "index.html", "/docs");
  expect(loaded.map(({ file }) => file)).toEqual([
    "index.html",
    "_astro/a.css",
    "_astro/a.js",
    "_astro/b.js",
    "_astro/c.js",
  ]);
  for (const { file, bytes } of loaded) expect(bytes, file).toBeGreaterThan(20);
});
