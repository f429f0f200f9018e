import type { ImportRecord } from "../imports/index.ts";
import { countChosenOrNull, type SourceCounter, type Surveys } from "../inventory/index.ts";
import { isStreamSelected, limitsRecords, type Mapping, type Selection } from "../mapping/index.ts";

export type RecordsCounted =
  | { readonly kind: "counted"; readonly records: number }
  | { readonly kind: "counting" }
  /** The source reports no count, or is not connected. */
  | { readonly kind: "not_counted" };

export type CountRecords = (
  found: Pick<ImportRecord, "id" | "family">,
  streams: readonly string[],
  /** Default: what the customer has saved. */
  selection?: Selection,
) => Promise<RecordsCounted>;

interface Needs {
  readonly counter: Pick<SourceCounter, "of">;
  readonly surveys: Pick<Surveys, "of">;
  readonly loadMapping: (importId: string) => Promise<{ readonly mapping: Mapping }>;
}

/** Counts the source's records that the customer chose in these streams; of what can't be counted, about how many. */
export const createCountRecords =
  ({ counter, surveys, loadMapping }: Needs): CountRecords =>
  async ({ id, family }, streams, given) => {
    const counts = await counter.of(id, family);
    if (counts.kind === "not_connected") return { kind: "not_counted" };
    const selection = given ?? (await loadMapping(id)).mapping.selection;
    const wanted = counts.streams.filter(
      ({ from }) => streams.includes(from.stream.name) && isStreamSelected({ selection }, from.stream.name),
    );
    if (wanted.some(({ look }) => look === null))
      return { kind: counts.counting ? "counting" : "not_counted" };
    const survey = limitsRecords(selection) ? await surveys.of(id, family) : ({ kind: "failed" } as const);
    const chosen = await countChosenOrNull(counts, survey, family, selection);
    // The quote is fixed once: the count of all records must not replace the count of a later attempt.
    if (chosen === null) return { kind: "counting" };
    const isWanted = ({ stream }: { readonly stream: string }) =>
      wanted.some(({ from }) => from.stream.name === stream);
    // Where nothing tells which share is chosen, all records count.
    const isUnknown = limitsRecords(selection) && survey.kind !== "read";
    const numbers = chosen.streams
      .filter(isWanted)
      .map((each) => each.chosen ?? (isUnknown ? null : each.all));
    if (numbers.some((count) => count === null)) return { kind: isUnknown ? "counting" : "not_counted" };
    return { kind: "counted", records: numbers.reduce<number>((sum, count) => sum + (count ?? 0), 0) };
  };
