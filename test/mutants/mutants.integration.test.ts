import { conformanceChecks, runConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { standInSubject } from "../tools/stand-in/subject.ts";
import { destinationMutants } from "./destination-mutants.ts";
import { sourceMutants } from "./source-mutants.ts";

const mutants = { ...sourceMutants, ...destinationMutants };

const transport = createPlainTransport();
afterAll(() => transport.close());

test("has a mutant for every check", () => {
  expect(Object.keys(mutants).toSorted()).toEqual(conformanceChecks.map(({ name }) => name).toSorted());
});

test.each(Object.entries(mutants))("exactly its own check fails %s", async (name, mutate) => {
  const paging = name === "disturbed" ? "offset" : "keyset";
  const { tool, subject } = await standInSubject(transport, { paging, largeText: 0 });
  try {
    const results = await runConformance({
      ...subject,
      largeText: 10_000,
      connector: mutate(subject.connector),
    });
    const failed = results.filter(({ verdict }) => verdict === "failed");
    expect(failed.map((each) => `${each.name}: ${each.why}`)).toEqual([expect.stringMatching(`^${name}: `)]);
    expect(results.filter(({ verdict }) => verdict === "skipped")).toEqual([]);
  } finally {
    await tool.close();
  }
});
