import { expect, test } from "vitest";
import { loadConnectors } from "../../../server/src/features/tools/index.ts";
import { standInPackages } from "./index.ts";
import { readStandInOptions } from "./options.ts";

test("the server loads them like any package that the operator names", async () => {
  const loaded = await loadConnectors([], standInPackages, process.cwd());
  expect(loaded.map(({ manifest }) => manifest.name)).toEqual([
    "stand-in",
    "stand-in-find",
    "stand-in-oauth",
  ]);
  const [upsert, find, oauth] = loaded;
  expect(upsert?.destination?.helpdesk?.[0]?.idempotency).toBe("upsert");
  expect(find?.destination?.projects?.[0]?.idempotency).toBe("lookup");
  expect(oauth?.manifest.auth.kind).toBe("oauth2");
});

test("the environment configures them", () => {
  expect(readStandInOptions({})).toEqual({
    family: "helpdesk",
    otherFamilies: ["projects"],
    paging: "keyset",
  });
  const environment = {
    STAND_IN_PAGING: "offset",
    STAND_IN_PAGE_SIZE: "7",
    STAND_IN_BATCH_SIZE: "100",
    STAND_IN_CONCURRENCY: "32",
    STAND_IN_LATE_WRITE_MS: "800",
    STAND_IN_FIND_LAG_MS: "200",
  };
  expect(readStandInOptions(environment)).toMatchObject({
    paging: "offset",
    pageSize: 7,
    batchSize: 100,
    concurrency: 32,
    lateWriteMs: 800,
    findLagMs: 200,
  });
  expect(() => readStandInOptions({ STAND_IN_PAGE_SIZE: "many" })).toThrow();
});
