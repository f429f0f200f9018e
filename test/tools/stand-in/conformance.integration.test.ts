import { families } from "@portage/contract";
import { familyStreams } from "@portage/connector-kit";
import { type CheckResult, runConformance, testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import type { StandInConnectorOptions } from "./connector.ts";
import type { StandInOptions } from "./options.ts";
import type { StandIn } from "./stand-in.ts";
import { standInSubject } from "./subject.ts";

const transport = createPlainTransport();
const running: StandIn[] = [];
afterAll(async () => {
  for (const tool of running) await tool.close();
  await transport.close();
});

const subject = async (
  options: Partial<StandInOptions>,
  connecting: Partial<StandInConnectorOptions> = {},
) => {
  const made = await standInSubject(transport, options, connecting);
  running.push(made.tool);
  return made;
};

const notPassed = (results: readonly CheckResult[]) => results.filter(({ verdict }) => verdict !== "passed");

testConformance("The stand-in", { describe, test }, async () => (await subject({})).subject);

test.each(families)("every stream of %s", async (family) => {
  const made = await subject({ family }, { addedStreams: true });
  const results = await runConformance(made.subject);
  // Only these families have records that tools notify people about.
  const isMeasured = family === "helpdesk" || family === "projects";
  expect(notPassed(results).map(({ name, verdict }) => [name, verdict])).toEqual(
    isMeasured ? [] : [["canaries", "skipped"]],
  );
  for (const { name, kind } of familyStreams[family])
    if (kind !== "people") expect(made.tool.written(name).count(), name).toBeGreaterThan(0);
});

test.each(["keyset", "offset", "page", "cursor", "link"] as const)("%s paging", async (paging) => {
  const made = await subject({ paging });
  expect(notPassed(await runConformance(made.subject))).toEqual([]);
});

test("lean: stored as differences, read back whole", async () => {
  const made = await subject({ lean: true, largeText: 0 });
  expect(notPassed(await runConformance({ ...made.subject, largeText: 10_000 }))).toEqual([]);
});

test.each(["upsert", "lookup"] as const)(
  "with faults, settled by %s: no losses, no duplicates, no mail",
  async (settles) => {
    const faults = {
      error: 0.05,
      reset: 0.05,
      errorAfterWrite: 0.08,
      resetAfterWrite: 0.08,
      silenceAfterWrite: 0.04,
      lateEffect: 0.08,
      lateEffectMs: 100,
      partial: 0.08,
      readError: 0.05,
      readReset: 0.05,
      slow: 0.02,
      slowMs: 50,
    };
    const made = await subject(
      { faults, paging: "offset", quota: { requests: 200, perMs: 200 } },
      { settles },
    );
    const { loud: _, ...quiet } = made.subject;
    expect(notPassed(await runConformance({ ...quiet, answerMs: 1_000 }))).toEqual([]);
    const stats = made.tool.stats();
    expect(stats).toMatchObject({ duplicates: 0, mails: 0 });
    expect(stats.faults).toBeGreaterThan(10);
  },
);
