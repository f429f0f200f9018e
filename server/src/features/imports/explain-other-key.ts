import { findStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { KeyColumns } from "../connections/index.ts";

const knownBy = (columns: readonly string[]) =>
  columns.length === 0
    ? "by their position in the file"
    : `by the column ${columns.map((each) => `“${each}”`).join(" and ")}`;

/** Says why files with other keys can't replace those of the copies, and what to do. Null: every record keeps its id. */
export const explainOtherKey = (family: Family, was: KeyColumns, now: KeyColumns): string | null => {
  for (const [stream, columns] of Object.entries(now)) {
    const before = was[stream];
    if (!before || JSON.stringify(before) === JSON.stringify(columns)) continue;
    const label = (findStream(family, stream)?.label ?? stream).toLowerCase();
    const way = before.length === 0 ? "Choose no column as the key" : "Choose the key that you had";
    return `In this move, ${label} are known ${knownBy(before)}, and now they would be known ${knownBy(columns)}: each of them would be copied a second time. ${way}, or undo the move first.`;
  }
  return null;
};
