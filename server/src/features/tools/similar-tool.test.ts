import { expect, test } from "vitest";
import { findSimilarTool } from "./similar-tool.ts";

const tools = [
  { name: "csv", label: "CSV and Excel files", families: [] },
  { name: "redmine", label: "Redmine", families: [] },
  { name: "request-tracker", label: "Request Tracker", families: [] },
];

test.each([
  ["Request Tracker", "request-tracker"],
  ["request_tracker", "request-tracker"],
  ["REQUESTTRACKER", "request-tracker"],
  ["reqest-traker", "request-tracker"],
  ["Redmine", "redmine"],
  ["redmin", "redmine"],
  ["CSV", "csv"],
  ["csv and excel files", "csv"],
  ["zendesk", undefined],
  ["tracker", undefined],
  ["constructor", undefined],
  ["cs", undefined],
  ["-", undefined],
  ["x".repeat(100), undefined],
])("%j is probably %s", (text, name) => {
  expect(findSimilarTool(tools, text)?.name).toBe(name);
});

test("only a tool of the list is named", () => {
  expect(findSimilarTool(tools.slice(0, 2), "Request Tracker")).toBeUndefined();
});
