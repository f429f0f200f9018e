import { isConnectorError } from "@portage/connector-kit";
import type { ImportRecord } from "../imports/index.ts";
import type { SourceCounter, SourceCounts, StreamCount } from "../inventory/index.ts";
import { dated, isStreamSelected, type Mapping, rangeOnly } from "../mapping/index.ts";

export type RecordsCounted =
  | { readonly kind: "counted"; readonly records: number }
  | { readonly kind: "counting" }
  /** The source reports no count, or is not connected. */
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

/** Counts the records within the customer's dates if they chose any and the tool can count by date; else all. */
const countIn = async ({ opened }: Counts, { from, look }: StreamCount, mapping: Mapping) => {
  const range = rangeOnly(mapping.selection);
  const { family, name } = from.stream;
  if (range === null || !from.countWithin || !dated(family).includes(name)) return look?.count ?? null;
  const counted = await from.countWithin(opened.io(AbortSignal.timeout(withinMs)), range);
  return counted ?? look?.count ?? null;
};

/** Counts the source's records in those of these streams that the customer selected. */
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
      // The quote is fixed once: the count of all records must not replace the dated count of a later attempt.
      return { kind: "counting" };
    }
    if (numbers.some((count) => count === null)) return { kind: "not_counted" };
    return { kind: "counted", records: numbers.reduce<number>((sum, count) => sum + (count ?? 0), 0) };
  };
