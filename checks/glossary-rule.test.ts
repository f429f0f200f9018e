import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repeatedWords } from "./glossary-rule.ts";

test("finds a word with two meanings, also with a note of which one", () => {
  const glossary =
    "| **chunk** | a step |\n| **class**, **cost** | quotas |\n| **chunk** (upload) | a part |\n";
  expect(repeatedWords(glossary)).toEqual(["chunk"]);
  expect(repeatedWords("| **cost** | a price |\n| **class**, **cost** | quotas |\n")).toEqual(["cost"]);
  expect(repeatedWords("| **chunk** | not an **upload chunk** |\n| **upload chunk** | a part |\n")).toEqual(
    [],
  );
});

test("the glossary gives each word one meaning", () => {
  expect(repeatedWords(readFileSync(join(import.meta.dirname, "../docs/glossary.md"), "utf8"))).toEqual([]);
});
