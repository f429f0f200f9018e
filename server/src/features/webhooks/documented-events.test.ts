import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventTypes, progressEvent } from "@portage/contract";
import { expect, test } from "vitest";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8");
const rows = [...page.matchAll(/^\| `((?:import|webhook)\.[a-z_]+)` \| (.+) \|$/gm)];
const meanings = new Map(rows.map(([, type, meaning = ""]) => [type, meaning]));

test("the page on webhooks explains every type", () => {
  const progress = progressEvent.shape.type.value;
  expect([...meanings.keys()]).toEqual([...eventTypes, progress]);
});

test("it says how the test event is sent, by a call that there is", () => {
  const { paths } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../../contract/openapi.json"), "utf8"),
  ) as { paths: object };
  expect(Object.keys(paths)).toContain("/webhook-endpoint/test");
  expect(meanings.get("webhook.test")).toMatch(
    /^you or the operator .*`POST \/webhook-endpoint\/test`, `portage webhook test`/,
  );
});
