import { holdersOf } from "@portage/connector-kit";
import type { StreamPair } from "../chunk/chunk-context.ts";

/** A part that can't be removed alone: this visit only checks what must stay, before any owner goes. */
export const checkOnly = "look";

/** Before a sample removes what left it: only keeps what the copies in it name. */
export const namedStays = "named";

export interface RemovalVisit {
  readonly stream: string;
  readonly aim: typeof checkOnly | "remove";
}

/**
 * The order of an undo, given the streams in the order of copying: pointing records before their targets. Parts that go
 * only with their owner are checked before it, since a person may have edited them, and settled after it, since only
 * then is it known whether they went.
 */
export const removalOrder = (
  streams: readonly Pick<StreamPair, "name" | "to">[],
): readonly RemovalVisit[] => {
  const offered = streams.flatMap(({ to }) => to ?? []);
  const visits: RemovalVisit[] = [];
  const gone = new Set<string>();
  let held: { readonly name: string; readonly holders: readonly string[] }[] = [];
  const remove = (name: string) => {
    visits.push({ stream: name, aim: "remove" });
    gone.add(name);
  };
  for (const { name, to } of streams.toReversed()) {
    const holders = to && !to.remove ? holdersOf(to, offered).map(({ stream }) => stream.name) : [];
    if (holders.length > 0) {
      visits.push({ stream: name, aim: checkOnly });
      // In front: owners come before their parts.
      held.unshift({ name, holders });
      continue;
    }
    remove(name);
    for (const each of held) if (each.holders.every((holder) => gone.has(holder))) remove(each.name);
    held = held.filter((each) => !gone.has(each.name));
  }
  return visits;
};
