import { externalKey } from "./external-key.ts";
import { parentIn } from "./parent-in.ts";
import { onSide } from "./sides.ts";
import type { Claimed } from "./store-claim.ts";
import { pairOf, type Workplace } from "./workplace.ts";

/** The records of a page whose copies an undo has left, and that are still in the destination, by their old keys. */
export const findKept = async (place: Workplace, { known }: Claimed): Promise<ReadonlySet<string>> => {
  const { from, to } = pairOf(place);
  const kept = [...known.values()].filter(({ state }) => state === "kept");
  if (!to || kept.length === 0) return new Set();
  const io = place.destination.io(place.signal);
  const ids = kept.map(({ destId }) => destId ?? "");
  const now = await onSide("destination", () => to.read(io, ids));
  const asked = kept.map((row, index) => ({
    key: externalKey({ ...place.lease, ...row }),
    since: new Date(0),
    ...parentIn(from.stream, now[index]),
  }));
  const found = await onSide("destination", () => to.find(io, asked));
  return new Set(
    kept
      .filter((_, index) => (found.get(asked[index]?.key ?? "") ?? []).length > 0)
      .map(({ sourceId }) => sourceId),
  );
};
