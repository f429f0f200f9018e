import { isConnectorError, type SourceStream } from "@portage/connector-kit";
import { onSide } from "../sides.ts";
import type { LeftKind } from "../tallies.ts";
import type { Workplace } from "../workplace.ts";

/** Null: the tool does not tell for sure, or not to this sign-in; what is not moved must not hold up what is. */
const countOf = async (place: Workplace, from: SourceStream): Promise<number | null> => {
  try {
    const counted = await onSide("source", async () => from.count?.(place.source.io(place.signal)));
    return counted?.exact === true ? counted.value : null;
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    return null;
  }
};

/** The kinds of records that the source can read and this run does not move. */
export const leftKinds = async (
  place: Workplace,
  moved: ReadonlySet<string>,
): Promise<readonly LeftKind[]> => {
  const { connector } = place.source;
  const isTaken = (name: string) => place.streams.some((pair) => pair.name === name);
  const left: LeftKind[] = [];
  for (const from of connector.source?.[place.lease.family] ?? []) {
    const { name } = from.stream;
    if (moved.has(name)) continue;
    const code = isTaken(name) ? "not_selected" : "not_supported";
    left.push({ stream: name, code, count: await countOf(place, from) });
  }
  return left;
};
