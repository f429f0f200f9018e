import { helpdesk } from "@portage/connector-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { suggestWords } from "./suggest-words.ts";
import { anyText } from "../testing/arbitraries.ts";
import { fits } from "../model/word-fields.ts";

const seen = (word: string, kind: string | null) => ({ word, kind, count: 1 });
const word = (value: string, kind?: string) => ({ value, label: value, ...(kind && { kind }) });

const suggest = (
  words: readonly ReturnType<typeof seen>[],
  known: readonly ReturnType<typeof word>[] | undefined,
  field = "status",
) => suggestWords({ family: "helpdesk", field, seen: words, known });

const answers = (found: ReturnType<typeof suggest>) =>
  found.map(({ to, kind, confidence }) => [to, kind, confidence]);

test("the same word comes first, then the same meaning, then the nearest", () => {
  const known = [
    word("new", "new"),
    word("open", "open"),
    word("stalled", "pending"),
    word("resolved", "solved"),
  ];
  const found = suggest(
    [seen("OPEN", "new"), seen("Waiting", "pending"), seen("On hold", "on_hold"), seen("Closed", "closed")],
    known,
  );
  expect(answers(found)).toEqual([
    ["open", "open", 1],
    ["stalled", "pending", 0.8],
    ["stalled", "pending", 0.6],
    ["resolved", "solved", 0.6],
  ]);
});

test("words of a tool without meanings are understood by their text", () => {
  const known = [word("Medium"), word("Critical"), word("Waiting on customer")];
  expect(answers(suggest([seen("Urgent", "urgent"), seen("Normal", "normal")], known, "priority"))).toEqual([
    ["Critical", "urgent", 0.8],
    ["Medium", "normal", 0.8],
  ]);
  expect(answers(suggest([seen("Pending", "pending")], known))).toEqual([
    ["Waiting on customer", "pending", 0.8],
  ]);
});

test("suggests nothing if nothing fits, or if any word is accepted", () => {
  expect(answers(suggest([seen("Incident", null)], [word("Bug")], "type"))).toEqual([[null, null, 0]]);
  expect(suggest([seen("Open", "open")], undefined)).toEqual([]);
  expect(suggest([seen("Open", "open")], [])).toEqual([]);
  expect(suggest([seen("", null)], [word("Low")], "priority")).toEqual([]);
});

test("signs without letters never match", () => {
  expect(suggest([seen("✓", null)], [word("✗")], "type")).toMatchObject([{ to: null }]);
  expect(suggest([seen("✓", null)], [word("✓")], "type")).toMatchObject([{ to: "✓" }]);
});

test("only words that the tool has are suggested, with meanings that the family has", () => {
  const kinds = fc.constantFrom("new", "open", "pending", "on_hold", "solved", "closed");
  const anySeen = fc.record({ word: anyText, kind: fc.option(kinds), count: fc.nat() });
  const anyWord = fc.record({ value: anyText, label: anyText, kind: kinds });
  fc.assert(
    fc.property(fc.array(anySeen), fc.array(anyWord), (words, known) => {
      for (const { to, kind } of suggest(words, known)) {
        expect(to === null || known.some(({ value }) => value === to)).toBe(true);
        expect(kind === null || fits(helpdesk.tickets, "statusKind", kind)).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});
