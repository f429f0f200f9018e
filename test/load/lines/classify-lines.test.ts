import { expect, test } from "vitest";
import { addCounts, classifyLines, purposes, sidesOf } from "./classify-lines.ts";

const text = `import { z } from "zod";
import { listStream } from "@portage/connector-kit";

const row = z.object({
  id: z.number(),
});
type Row = z.infer<typeof row>;

/** What they are called. */
const words = { open: "Open", done: ["Done", 1] } as const;

const askRow = async (io: { http: unknown }) => io.http;

export const toRecord = ({ id }: Row) => ({
  id: String(id),
});

export const rows = listStream({
  toRecord,
});
`;

test("every line is sorted once, by the declaration that it belongs to", () => {
  const counts = classifyLines("rows.ts", text);
  expect(counts).toEqual({
    imports: 2,
    "row schemas": 3,
    types: 1,
    words: 2,
    requests: 1,
    conversions: 3,
    streams: 3,
    settings: 0,
    manifest: 0,
    blank: 5,
  });
  expect(purposes.reduce((sum, each) => sum + counts[each], 0)).toBe(text.split("\n").length - 1);
  expect(addCounts([counts, counts])).toMatchObject({ imports: 4, blank: 10 });
});

test("a manifest, and settings by their file", () => {
  expect(classifyLines("index.ts", "export const acme = {\n  manifest: { kit: 1 },\n};\n").manifest).toBe(3);
  expect(classifyLines("settings.ts", "export const settings = z.object({});\n").settings).toBe(1);
});

test("a file serves the role whose files alone import it", () => {
  const texts = new Map([
    ["index.ts", 'import "./a-source.ts"; import { b } from "./b-destination.ts";'],
    ["a-source.ts", 'import { ask } from "./ask.ts"; import { r } from "./read.ts";'],
    ["b-destination.ts", 'import { ask } from "./ask.ts"; import { d } from "./draft.ts";'],
    ["ask.ts", ""],
    ["read.ts", ""],
    ["draft.ts", 'import { k } from "./keys.ts";'],
    ["keys.ts", ""],
  ]);
  expect(Object.fromEntries(sidesOf(texts, ["source", "destination"]))).toEqual({
    "index.ts": "shared",
    "a-source.ts": "source",
    "b-destination.ts": "destination",
    "ask.ts": "shared",
    "read.ts": "source",
    "draft.ts": "destination",
    "keys.ts": "destination",
  });
  expect([...sidesOf(texts, ["source"]).values()]).toEqual(Array.from({ length: 7 }, () => "source"));
});
