import { conformanceChecks, runConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { standInSubject } from "../tools/stand-in/subject.ts";
import { destinationMutants } from "./destination-mutants.ts";
import { type Mutate, sources } from "./mutate.ts";
import { sourceMutants } from "./source-mutants.ts";

const mutants = { ...sourceMutants, ...destinationMutants };

const transport = createPlainTransport();
afterAll(() => transport.close());

test("has a mutant for every check", () => {
  expect(Object.keys(mutants).toSorted()).toEqual(conformanceChecks.map(({ name }) => name).toSorted());
});

const failuresOf = async (name: string, mutate: Mutate) => {
  const paging = name === "disturbed" ? "offset" : "keyset";
  const { tool, subject } = await standInSubject(transport, { paging, largeText: 0 });
  try {
    const results = await runConformance({
      ...subject,
      largeText: 10_000,
      connector: mutate(subject.connector),
    });
    expect(results.filter(({ verdict }) => verdict === "skipped")).toEqual([]);
    return results.filter(({ verdict }) => verdict === "failed").map((each) => `${each.name}: ${each.why}`);
  } finally {
    await tool.close();
  }
};

test.each(Object.entries(mutants))("exactly its own check fails %s", async (name, mutate) => {
  expect(await failuresOf(name, mutate)).toEqual([expect.stringMatching(`^${name}: `)]);
});

test("the check of addresses fails a connector that needs a secret for them", async () => {
  const failures = await failuresOf("addresses", (good) => ({
    ...good,
    recordAt: (settings, url, family) =>
      settings.token === undefined ? null : (good.recordAt?.(settings, url, family) ?? null),
  }));
  expect(failures).toEqual([expect.stringMatching(/^addresses: .* is not found by its own URL\.$/)]);
});

test("the check of ids fails a connector that also lists what it does not read", async () => {
  const failures = await failuresOf(
    "ids",
    sources(({ readIds }) => ({
      readIds: async (io, at) => {
        const page = (await readIds?.(io, at)) ?? { records: [], next: null };
        return page.records.length < 2 ? page : { ...page, records: [...page.records, "deleted-1"] };
      },
    })),
  );
  expect(failures).toEqual([expect.stringMatching(/^ids: .* 1 ids have no record, such as deleted-1\.$/)]);
});
