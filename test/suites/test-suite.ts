import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import { ownBreaches, type StartedSuite, type ToolSuite } from "./suite.ts";

/** Real servers take half a second for a write: a share of the trials here, all of them in `npm run prove:tools`. */
const shareOf = ({ counterpart }: ToolSuite): number => (counterpart.kind === "real server" ? 0.1 : 1);

/** Registers a tool's conformance suite as tests; on a stand-in that judges also that the connector broke none of the vendor's laws. */
export const testSuite = (suite: ToolSuite): void => {
  const transport = createPlainTransport();
  let started: Promise<StartedSuite> | undefined;
  const start = () => (started ??= suite.start(transport));
  afterAll(async () => {
    await (await started)?.stop();
    await transport.close();
  });
  for (const { label, family } of suite.runs)
    testConformance(
      label,
      { describe, test },
      async () => ({ ...(await (await start()).subject(family)), share: shareOf(suite) }),
      3_600_000,
    );
  if (suite.counterpart.kind === "stand-in" && suite.counterpart.judged)
    test(`the suite broke no law of ${suite.tool}'s`, async () => {
      const report = (await start()).report?.();
      if (!report) throw new Error("The stand-in reports nothing.");
      expect(ownBreaches(suite, report)).toEqual([]);
      expect(report.lies).toEqual([]);
    });
};
