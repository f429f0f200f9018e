import type { Outcome } from "@portage/connector-kit";
import { isInDoubt } from "./in-doubt.ts";
import { parentIn } from "./parent-in.ts";
import { onSide } from "./sides.ts";
import type { Claimed } from "./store-claim.ts";
import type { ToWrite } from "./write-page.ts";
import { pairOf, type Workplace } from "./workplace.ts";

/** Looks for the copies that earlier runs gave up on, before any of them is made a second time. */
export const findDoubtful = async (
  place: Workplace,
  { known }: Claimed,
  writes: readonly ToWrite[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Outcome>> => {
  const { from, to } = pairOf(place);
  const doubtful = writes.filter(({ prepared: { record } }) => {
    const row = known.get(record.id);
    return row !== undefined && isInDoubt(row);
  });
  if (!to || doubtful.length === 0) return new Map();
  const asked = doubtful.map(({ key, record }) => ({
    key,
    since: new Date(0),
    ...parentIn(from.stream, record),
  }));
  const there = await onSide("destination", () => to.find(place.destination.io(signal), asked));
  return new Map(
    doubtful.flatMap(({ key, prepared }) => {
      const [id] = there.get(key) ?? [];
      return id === undefined ? [] : [[prepared.record.id, { kind: "written" as const, id }]];
    }),
  );
};
