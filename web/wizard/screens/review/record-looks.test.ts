import { expect, test } from "vitest";
import { matchedAt } from "./record-looks.ts";

test("a wrong field links to the row where its matching is decided", () => {
  expect(matchedAt("tickets", { field: "status", before: "open" })).toEqual({
    screen: "fields",
    part: "tickets.status",
  });
  expect(matchedAt("tickets", { field: "customFields.cf_5", before: "x" })).toEqual({
    screen: "fields",
    part: "tickets.customFields.cf_5",
  });
  expect(matchedAt("tickets", { field: "assignee", before: "Kim", person: "7" })).toEqual({
    screen: "people",
    part: "7",
  });
});

test("customers are copied, so there is nothing to match", () => {
  expect(matchedAt("tickets", { field: "requester", before: "Sam" })).toBeNull();
  expect(matchedAt("tickets", { field: "followers", before: ["Kim", "Sam"] })).toEqual({ screen: "people" });
  expect(matchedAt("tickets", { field: "subject", before: "Help" })).toBeNull();
});
