import { familyStreams } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import type { Family } from "@portage/contract";
import { createCsv } from "../csv.ts";
import type { StoredFile } from "../file-store.ts";
import { memoryFile, memoryStore } from "./folder-store.ts";
import { choiceOf, tableOf } from "./table-of.ts";

const countPerStream = 37;

export type WriteFile = (rows: readonly (readonly string[])[]) => Buffer;

/** A family's records as files, one for each stream, and what a connector has to read from them. */
export const filesOf = (family: Family, write: WriteFile) => {
  const streams = familyStreams[family].filter(({ kind }) => kind !== "file");
  const counts = Object.fromEntries(streams.map(({ name }) => [name, countPerStream]));
  const stored: Record<string, StoredFile> = {};
  const chosen: Record<string, ReturnType<typeof choiceOf>> = {};
  const expected = new Map<string, readonly unknown[]>();
  for (const stream of streams) {
    const { at } = sampleRecords(stream, { seed: "csv", counts, hostile: true, largeText: 20_000 });
    const all = Array.from({ length: countPerStream }, (_, index) => at(index)).filter(
      (each) => each !== null,
    );
    const table = tableOf(stream, all);
    stored[`${stream.name}.file`] = memoryFile(write(table.rows), 5_000);
    chosen[stream.name] = choiceOf(`${stream.name}.file`, table.columns);
    expected.set(stream.name, table.records);
  }
  const connector = createCsv({ files: memoryStore(stored), page: { rows: 8, characters: 1_000_000 } });
  return {
    connector,
    settings: { importId: "imp_1", files: chosen, timeZone: "Europe/Berlin" },
    family,
    expected,
  };
};
