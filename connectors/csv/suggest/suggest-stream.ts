import type { FamilyStream } from "@portage/connector-kit";
import { compact, streamWords } from "./header-words.ts";
import type { Suggestion } from "./suggestion.ts";

const weights = { certain: 1, likely: 0.5, unsure: 0.1 };

/** A name such as "ticket_comments" is of comments: the last word says what the rows are. */
const nameScore = ({ name, label }: FamilyStream, fileName: string): number => {
  const said = compact(fileName.replace(/\.[a-z]{1,5}$/i, ""));
  const words = [name, label, ...(streamWords[name] ?? [])]
    .map((each) => compact(each).replace(/s$/, ""))
    .filter((word) => word.length > 2 && said.includes(word));
  if (words.length === 0) return 0;
  const ends = words.some((word) => [word, `${word}s`].some((end) => said.endsWith(end)));
  return ends ? 4 : 3;
};

/** How well a file fits a stream, by its name and its columns. Below 1 it is a guess. */
export const streamScore = (
  stream: FamilyStream,
  fileName: string,
  { columns, questions }: Suggestion,
): number => {
  const fields = new Map<number, number>();
  for (const { column, field, confidence } of columns)
    if (!field.startsWith("customFields."))
      fields.set(column, Math.max(fields.get(column) ?? 0, weights[confidence]));
  const missing = questions.filter(({ code }) => code === "missing-field").length;
  const filled = [...fields.values()].reduce((sum, each) => sum + each, 0);
  return nameScore(stream, fileName) + filled - missing;
};
