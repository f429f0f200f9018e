import type { ColumnChoice } from "../settings.ts";
import type { ColumnFacts } from "./column-facts.ts";
import type { Question } from "./suggestion.ts";

const longestKey = 200;

export const isUnique = ({ repeats, empty, filled }: ColumnFacts): boolean =>
  repeats === null && empty === 0 && filled > 0;

/** A key is never empty and never repeats; a matching header outweighs a few errors, which become questions. */
export const keyScore = (facts: ColumnFacts, header: number): number => {
  if (facts.longest > longestKey) return -1;
  if (isUnique(facts)) return 0.3;
  const good = facts.filled > 0 && facts.distinct / (facts.filled + facts.empty) >= 0.9;
  return header >= 0.9 && good ? 0 : -1;
};

export const keyQuestions = (
  columns: readonly ColumnChoice[],
  facts: readonly ColumnFacts[],
): readonly Question[] => {
  const chosen = columns.find(({ field }) => field === "id");
  const key = facts.find(({ column }) => column === chosen?.column);
  if (!key) {
    const candidates = facts.filter((each) => isUnique(each) && each.longest <= longestKey);
    return [
      {
        code: "no-key",
        column: null,
        field: "id",
        options: candidates.map(({ column }) => String(column)),
        message:
          "No column looks like a key: a number or name that each row has and no two share. Without one, the import identifies rows by their position, so a later file must have them in the same order.",
      },
    ];
  }
  const base = { column: key.column, field: "id", options: [] };
  return [
    ...(key.repeats
      ? [
          {
            ...base,
            code: "key-repeats" as const,
            message: `Column “${key.header}” looks like the key, but row ${key.repeats.row} repeats row ${key.repeats.before}. Correct it, or choose another column.`,
          },
        ]
      : []),
    ...(key.empty > 0
      ? [
          {
            ...base,
            code: "key-empty" as const,
            message: `Column “${key.header}” looks like the key, but ${key.empty} rows of the sample have none. Fill it in, or choose another column.`,
          },
        ]
      : []),
  ];
};
