// `npm run prove:tools`: the conformance suite of every connector, on a real server where one can be installed, else on a
// stand-in that is held to the vendor's description. It runs what the connectors' own tests run. `-- --only zendesk` runs one
// tool and judges no numbers of tools. Needs root on Debian.
import { parseArgs } from "node:util";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { allConnectors } from "../support/all-connectors.ts";
import { prove } from "../support/proof.ts";
import { loadSuites } from "../suites/load-suites.ts";
import { figuresOf, roleLine, runSuite, type SuiteReport } from "../suites/run-suite.ts";
import type { ToolSuite } from "../suites/suite.ts";

const { values } = parseArgs({ options: { only: { type: "string" } }, strict: false });

/** A suite that does not start is a failure of its tool: the others still run. */
const runOrReport = async (suite: ToolSuite, run: () => Promise<SuiteReport>): Promise<SuiteReport> => {
  try {
    return await run();
  } catch (error) {
    const { tool } = suite;
    const problems = [error instanceof Error ? error.message : String(error)];
    return {
      tool,
      problems,
      onRealServer: false,
      on: "",
      roles: [],
      breaches: [],
      lies: [],
      unvalidated: [],
    };
  }
};

await prove("tools", async (proof) => {
  const transport = createPlainTransport();
  proof.afterwards(() => transport.close());
  const suites = await loadSuites();
  const missing = allConnectors
    .map(({ manifest }) => manifest.name)
    .filter((name) => !suites.some(({ tool }) => tool === name));
  const reports: SuiteReport[] = [];
  for (const suite of suites.filter(({ tool }) => values["only"] === undefined || tool === values["only"])) {
    const report = await runOrReport(suite, () => runSuite(suite, transport));
    reports.push(report);
    for (const role of report.roles) proof.say(roleLine(report, role));
    for (const problem of [...report.problems, ...report.lies]) proof.say(`${report.tool}: ${problem}`);
    for (const { law, operation, detail } of report.breaches)
      proof.say(`${report.tool} broke ${law}: ${operation}, ${detail}`);
    for (const [law, why] of Object.entries(suite.excused ?? {}))
      proof.say(`${report.tool}: breaches of ${law} are not counted: ${why}`);
  }
  const figures = figuresOf(reports);
  for (const operation of figures.unvalidated) proof.say(`unvalidated: ${operation}`);
  proof.holds("every connector has a suite", missing.length === 0, missing);
  proof.holds("no check failed", figures.failed === 0, figures.failed);
  proof.holds("no law was broken", figures.breaches === 0, figures.breaches);
  if (values["only"] === undefined) {
    proof.holds("at least 7 sources conform", figures.sources >= 7, figures.sources);
    proof.holds("at least 3 tools run on real servers", figures.onRealServers >= 3, figures.onRealServers);
  }
  return { ...figures };
});
