import { isConnectorError } from "@portage/connector-kit";
import type { ImportRecord } from "../imports/index.ts";
import type { SourceCounter, SourceCounts, StreamCount } from "../inventory/index.ts";
import { dated, isStreamSelected, type Mapping, rangeOf } from "../mapping/index.ts";

export type RecordsCounted =
  | { readonly kind: "counted"; readonly records: number }
  | { readonly kind: "counting" }
  /** The old tool does not tell, or can't be asked. */
  | { readonly kind: "not_counted" };

export type CountRecords = (
  found: Pick<ImportRecord, "id" | "family">,
  streams: readonly string[],
) => Promise<RecordsCounted>;

interface Needs {
  readonly counter: Pick<SourceCounter, "of">;
  readonly loadMapping: (importId: string) => Promise<{ readonly mapping: Mapping }>;
}

type Counts = Extract<SourceCounts, { kind: "counts" }>;

const withinMs = 30_000;

/** What falls into the customer's dates, where they chose any and the tool can tell; else all that there is. */
const countIn = async ({ opened }: Counts, { from, look }: StreamCount, mapping: Mapping) => {
  const range = rangeOf(mapping);
  const { family, name } = from.stream;
  if (range === null || !from.countWithin || !dated[family].includes(name)) return look?.count ?? null;
  const counted = await from.countWithin(opened.io(AbortSignal.timeout(withinMs)), range);
  return counted ?? look?.count ?? null;
};

/** How many records of these streams the old tool has, of those that the customer wants to move. */
export const createCountRecords =
  ({ counter, loadMapping }: Needs): CountRecords =>
  async ({ id, family }, streams) => {
    const counts = await counter.of(id, family);
    if (counts.kind === "not_connected") return { kind: "not_counted" };
    const { mapping } = await loadMapping(id);
    const wanted = counts.streams.filter(
      ({ from }) => streams.includes(from.stream.name) && isStreamSelected(mapping, from.stream.name),
    );
    if (wanted.some(({ look }) => look === null))
      return { kind: counts.counting ? "counting" : "not_counted" };
    let numbers: readonly (number | null)[];
    try {
      numbers = await Promise.all(wanted.map((each) => countIn(counts, each, mapping)));
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      // A price is made once: the number of all records must not take the place of one that comes later.
      return { kind: "counting" };
    }
    if (numbers.some((count) => count === null)) return { kind: "not_counted" };
    return { kind: "counted", records: numbers.reduce<number>((sum, count) => sum + (count ?? 0), 0) };
  };
