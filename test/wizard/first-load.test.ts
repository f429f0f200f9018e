import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { useBrowser } from "./browser.ts";
import { useWizardFixture } from "./wizard-fixture.ts";

const fixture = useWizardFixture();
const browser = useBrowser();
const dist = join(import.meta.dirname, "../../web/dist");
const maxBytes = 150_000;

const zippedSize = (path: string) => {
  const bytes = readFileSync(join(dist, path));
  // A font is already compressed, and is sent unchanged.
  return path.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
};

test("the first screen loads less than 150 kB, scripts, styles and fonts together", async () => {
  const made = await fixture.newImport();
  const { page, watch } = await browser.openWizard(made);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  await page.waitForLoadState("networkidle");
  const loaded = [...new Set(watch.files.map(({ path }) => path))].toSorted();
  const sizes = loaded.map((path) => ({ path, bytes: zippedSize(path) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const overTheWire = watch.files.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    [
      ...sizes.map(({ path, bytes }) => `${String(bytes).padStart(7)}  ${path}`),
      `${String(total).padStart(7)}  gzip in all; ${overTheWire} bytes came over the wire (br)`,
    ].join("\n"),
  );
  for (const kind of [".js", ".css", ".woff2"])
    expect(
      loaded.filter((path) => path.endsWith(kind)),
      kind,
    ).not.toEqual([]);
  expect(total).toBeLessThan(maxBytes);
  // The server sends the files that the build compressed.
  const plain = watch.files.filter(({ path, encoding }) => /\.(js|css)$/.test(path) && encoding !== "br");
  expect(plain).toEqual([]);
});
