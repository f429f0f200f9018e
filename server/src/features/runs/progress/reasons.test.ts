import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reasons, reasonText } from "./reasons.ts";
import { countedStream, warningsFromFindings } from "./warnings-from-findings.ts";

const root = join(import.meta.dirname, "../../../../..");

const sources = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((file) => !/\.test\.ts$|conformance|\/check\/|connector-template/.test(file))
    .map((file) => readFileSync(join(root, file), "utf8"));

const found = (texts: readonly string[], ...patterns: readonly RegExp[]) =>
  new Set(
    texts.flatMap((text) =>
      patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? "")),
    ),
  );

/** Codes about a whole tool, a sign-in or a field: no record has them as its reason. */
const ofWholeTools = new Set([
  "unauthorized",
  "refused",
  "not_an_administrator",
  "not_request_tracker",
  "other_address",
  "unexpected_answer",
  "unreachable",
  "unexpected_status",
  "busy",
  "wrong_time_zone",
  "cannot_be_created",
  "field_in_use",
]);

test("every code that a connector of ours gives a record has its own text", () => {
  const codes = found(
    sources("connectors/*/**/*.ts"),
    /\bcode: "([a-z_]+)"/g,
    /\b(?:rejected|kept|skipRecord)\(\s*"([a-z_]+)"/g,
    /\? "([a-z]+_?[a-z_]*)" : answer\.status/g,
  );
  expect(codes.size).toBeGreaterThan(20);
  expect([...codes].filter((code) => !Object.hasOwn(reasons, code) && !ofWholeTools.has(code))).toEqual([]);
});

test("every code that the connector for files gives a row has its own text", () => {
  const texts = sources("connectors/csv/**/*.ts");
  const faults = texts.flatMap((text) => /\btype RowFault = ([^;]+);/.exec(text)?.[1] ?? []);
  const codes = new Set([
    ...found(texts, /\b(?:problem|reject)\(\s*"([a-z_]+)"/g),
    ...found(faults, /"([a-z_]+)"/g),
  ]);
  // One of each way in which the connector writes a code.
  for (const known of ["bad_date", "bad_boolean", "too_many_cells", "open_quote"])
    expect(codes).toContain(known);
  expect([...codes].filter((code) => !Object.hasOwn(reasons, code))).toEqual([]);
});

test("every reason that runs put into the ledger has its own text", () => {
  const codes = found(
    sources("server/src/features/runs/**/*.ts"),
    /\breason: (?:\w+ === null \? )?"([a-z_]+)"/g,
    /\breason = [\w. =]+"\w+" \? "([a-z_]+)"/g,
    /\breason = [\w. =]+"\w+" \? "[a-z_]+" : "([a-z_]+)"/g,
    /(?:kept|stays)\([\w., ]+, "([a-z_]+)"/g,
    /book\.reason\("[a-z]+", "([a-z_]+)"/g,
    /status === 403 \? "([a-z_]+)"/g,
    /status === 403 \? "[a-z_]+" : "([a-z_]+)"/g,
    /^ {2}(?:edited|gone): "([a-z_]+)",$/gm,
    /\bskip\(id, "([a-z_]+)"/g,
    /(?:leftRow|leaveOut)\([\w., ]+, "([a-z_]+)"/g,
    /export const (?:inDoubt|keptFromBefore|replaced) = "([a-z_]+)"/g,
  );
  expect(codes).toEqual(
    new Set([
      "maybe_edited",
      "not_readable",
      "user_unmatched",
      "parent_missing",
      "not_supported",
      "source_deleted",
      "read_later",
      "not_shown",
      "too_large_to_read",
      "unreadable",
      "kept_from_before",
      "in_doubt",
      "replaced",
      "edited_since",
      "deleted_since",
      "update_failed",
      "used_by_another_import",
      "cannot_be_removed",
      "holds_kept_records",
      "being_removed",
      "not_selected",
    ]),
  );
  for (const code of codes) expect(Object.hasOwn(reasons, code)).toBe(true);
});

test("texts fit one record and many: no verb in them changes with the number", () => {
  for (const text of Object.values(reasons))
    expect(text).toMatch(/^(could|had|may|no longer|stayed|came|differed|did|would|lacked|existed)\b/);
});

test("texts use the words of a customer, who knows an old tool and a new one", () => {
  for (const text of Object.values(reasons)) expect(text).not.toMatch(/\b(destination|source|target)\b/);
});

test("an undescribed code is named", () => {
  expect(reasonText("failed", "odd_thing")).toBe("could not be copied (odd_thing)");
  expect(reasonText("kept", "toString")).toBe("stayed in place (toString)");
});

test("numbers and names as people say them", () => {
  expect(countedStream("helpdesk", "tickets", 1)).toBe("1 ticket");
  expect(countedStream("helpdesk", "tickets", 12_430)).toBe("12,430 tickets");
  expect(countedStream("projects", "time_entries", 1)).toMatch(/^1 time entry$/);
  expect(countedStream("helpdesk", "odd_things", 2)).toBe("2 odd things");
});

test("one warning per cause and stream, worst first", () => {
  const finding = { stream: "tickets", examples: [] };
  expect(
    warningsFromFindings("helpdesk", [
      { ...finding, kind: "changed", code: "field_cleared", count: 50 },
      { ...finding, kind: "skipped", code: "parent_missing", count: 2 },
      { ...finding, kind: "failed", code: "parent_missing", count: 1 },
      { ...finding, kind: "failed", code: "too_large", count: 3 },
    ]).map(({ code, count }) => [code, count]),
  ).toEqual([
    ["too_large", 3],
    ["parent_missing", 3],
    ["field_cleared", 50],
  ]);
});
