// `npm run prove:vendor-mutants`: every law of every vendor's stand-in is broken on purpose and caught: by a connector that is
// changed in one place where a connector makes such requests, else by the request itself. It runs the tests that CI runs, and
// reads which law each of them breaks (test/vendors/kit/law-tests.ts).
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";
import { prove } from "../support/proof.ts";
import { lawTests } from "../vendors/kit/law-tests.ts";
import { judgeLaws, type RanTest } from "../vendors/law-results.ts";
import { vendorTools } from "../vendors/tools.ts";

const root = join(import.meta.dirname, "../..");

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

const runTests = (files: readonly string[]): readonly RanTest[] => {
  const folder = mkdtempSync(join(tmpdir(), "portage-law-tests-"));
  const written = join(folder, "report.json");
  try {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const only = Object.values(lawTests).join("|");
    const reporting = ["--reporter=json", `--outputFile=${written}`];
    execFileSync(
      process.execPath,
      [vitest, "run", "--project", "integration", "-t", only, ...reporting, ...files],
      {
        cwd: root,
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
  } catch {
    // A failed test ends vitest with an error too: the report has it.
  }
  try {
    return report
      .parse(JSON.parse(readFileSync(written, "utf8")))
      .testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.map((each) => ({ ...each, file: relative(root, name) })),
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
};

await prove("vendor-mutants", async (proof) => {
  const files = vendorTools.flatMap(({ tool }) =>
    globSync(`{test/vendors,connectors}/${tool}/**/*.integration.test.ts`, { cwd: root }),
  );
  const ran = runTests(files);
  const results = vendorTools.flatMap((vendor) => judgeLaws(vendor, ran));
  for (const { tool, law, isCaught, by } of results)
    proof.say(`${tool} ${law}: ${isCaught ? "caught" : "MISSED"}: ${by}`);
  const countOf = (kind: keyof typeof lawTests) =>
    results.filter((result) => result.isCaught && result.kind === kind).length;
  const caught = results.filter(({ isCaught }) => isCaught).length;
  proof.holds("every law is broken and caught", caught === results.length, results.length - caught);
  proof.holds("there are at least 40 laws", results.length >= 40, results.length);
  return {
    laws: results.length,
    caught,
    byConnectorMutants: countOf("connector"),
    byRequests: countOf("request"),
    byOutcomesOfRequests: countOf("outcome"),
    tools: vendorTools.length,
  };
});
