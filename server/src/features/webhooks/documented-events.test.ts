import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes } from "@portage/contract";
import { expect, test } from "vitest";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8");
const rows = [...page.matchAll(/^\| `((?:import|webhook)\.[a-z_]+)` \| (.+) \|$/gm)];
const meanings = new Map(rows.map(([, type, meaning = ""]) => [type, meaning]));

test("the page on webhooks explains every type", () => {
  expect([...meanings.keys()]).toEqual([...eventTypes]);
});

test("it says that the operator sends the test event, and how: partners have no call for it", () => {
  const { paths } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../../contract/openapi.json"), "utf8"),
  ) as { paths: object };
  expect(Object.keys(paths).filter((path) => path.includes("test"))).toEqual([]);
  expect(meanings.get("webhook.test")).toMatch(/^the operator .*`portage webhook test`/);
});
