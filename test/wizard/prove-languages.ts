// `npm run prove:languages`: runs languages.proof.test.ts in Chromium and states its result. `-- --scale 0.1` takes fewer languages.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { languageCodes } from "@portage/contract/languages";
import { prove } from "../support/proof.ts";

const root = join(import.meta.dirname, "../..");
/** Those of the test: the last two are pseudo-languages, with accents and longer texts, and from right to left. */
const all = [...languageCodes, "en-XA", "en-XB"];

interface TestReport {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

await prove("languages", async (proof) => {
  const languages = all.slice(0, proof.size(all.length, 1));
  const folder = await mkdtemp(join(tmpdir(), "portage-languages-"));
  proof.afterwards(() => rm(folder, { recursive: true }));
  const report = join(folder, "report.json");
  const tests = spawn(
    process.execPath,
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--project",
      "languages",
      "--testNamePattern",
      ` in (${languages.join("|")})$`,
      "--reporter",
      "default",
      "--reporter",
      "json",
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
  );
  // The test prints the screens that it has looked at, by language.
  const screens = new Map<string, number>();
  const closed = once(tests, "close");
  for await (const line of createInterface({ input: tests.stdout })) {
    proof.say(line);
    const [, language = "", names = ""] = /^([\w-]+): ([a-z-]+(?:, [a-z-]+)*)$/.exec(line) ?? [];
    if (languages.includes(language))
      screens.set(language, (screens.get(language) ?? 0) + names.split(", ").length);
  }
  await closed;
  const { numTotalTests, testResults } = JSON.parse(await readFile(report, "utf8")) as TestReport;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = results.filter(({ status }) => status === "passed").length;
  const failed = results.flatMap(({ status, fullName }) => (status === "failed" ? [fullName] : []));
  const wanted = (numTotalTests / all.length) * languages.length;
  proof.holds("every state of an import was looked at in every language", passed + failed.length === wanted, {
    wanted,
    passed,
    failed: failed.length,
  });
  proof.holds(
    "no screen has an axe violation in light, dark or on a phone, nor scrolls sideways at 320 px or with letters twice as large",
    failed.length === 0 && passed > 0,
    failed,
  );
  const counts = [...new Set(languages.map((language) => screens.get(language) ?? 0))];
  proof.holds("every language has the same screens", counts.length === 1 && counts[0] !== 0, counts);
  return { languages, screens: counts[0], tests: passed };
});
