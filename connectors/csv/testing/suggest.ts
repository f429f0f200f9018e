import type { FamilyStream } from "@portage/connector-kit";
import { columnFacts } from "../suggest/column-facts.ts";
import { type PinnedColumns, suggestColumns } from "../suggest/suggest-columns.ts";
import type { OtherTable } from "../suggest/suggest-relations.ts";

/** The suggestion for a table whose header is its first row. */
export const suggest = (
  stream: unknown,
  header: readonly string[],
  rows: readonly (readonly string[])[],
  others: readonly OtherTable[] = [],
  pinned: PinnedColumns = {},
) =>
  suggestColumns(
    stream as FamilyStream,
    columnFacts(
      header,
      rows.map((cells, index) => ({ row: index + 2, cells })),
    ),
    others,
    pinned,
  );
