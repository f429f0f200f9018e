import { expect, test } from "vitest";
import { type Decision, indexProblems, readDecision } from "./decisions-page.ts";

const decision = (number: number): Decision => ({
  file: `${number}.md`,
  number,
  title: `${number}. A`,
  status: "accepted",
  date: "2026-11-15",
});

test("reads title, status and date", () => {
  const text = "# 12. How\n\nStatus: accepted · Date: 2026-11-16, changed 2026-11-19: more\n";
  expect(readDecision("0012-how.md", text)).toEqual({
    file: "0012-how.md",
    number: 12,
    title: "12. How",
    status: "accepted",
    date: "2026-11-16",
  });
});

test("an index is whole if each number is under one subject or was never used", () => {
  expect(indexProblems([decision(1), decision(3)], { all: [1, 3] }, [2])).toEqual([]);
});

test.each<[string, readonly number[], readonly number[], readonly number[]]>([
  ["decision 2 stands under 0 subjects, not under one", [1, 2], [1], []],
  ["decision 2 stands under 2 subjects, not under one", [1, 2], [1, 2, 2], []],
  ["decision 2 is listed, and there is no file of it", [1], [1, 2], []],
  ["there is no decision 2", [1, 3], [1, 3], []],
  ["the number 2 is in use now", [1, 2], [1, 2], [2]],
  ["2 files have the number 2", [1, 2, 2], [1, 2], []],
])("says: %s", (message, numbers, listed, unused) => {
  expect(indexProblems(numbers.map(decision), { all: listed }, unused)).toEqual([message]);
});
