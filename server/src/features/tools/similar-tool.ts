import type { SourceTool } from "./registry.ts";

/** Without case, spaces and punctuation, in which names and labels differ most. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** How many letters must be added, removed or replaced to make one text of the other (Levenshtein). */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min(
          (row[column] ?? 0) + (letter === other ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** A short text has more neighbours by chance. */
const typosIn = (text: string) => (text.length < 5 ? 1 : 2);

/** The tool that a text probably means: by its label, another spelling, or with one or two typos. */
export const findSimilarTool = (tools: readonly SourceTool[], text: string): SourceTool | undefined => {
  const wanted = plain(text);
  if (wanted.length < 3) return undefined;
  const near = tools
    .map((tool) => ({
      tool,
      distance: Math.min(...[tool.name, tool.label].map((each) => editDistance(wanted, plain(each)))),
    }))
    .filter(({ distance }) => distance <= typosIn(wanted))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.tool;
};
