import { holdersOf } from "@portage/connector-kit";
import type { StreamPair } from "../chunk/chunk-context.ts";

/** A part that can't be removed alone: this visit only looks what must stay, before anything that holds it goes. */
export const lookFirst = "look";

export interface RemovalVisit {
  readonly stream: string;
  readonly aim: typeof lookFirst | "remove";
}

/**
 * The way of an undo through streams that are given as they are copied: what points before what is pointed to. What
 * goes only with its holder is looked at before it, for a person may have edited it, and settled after it, for only
 * then is it known whether it went.
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
      visits.push({ stream: name, aim: lookFirst });
      // In front: what holds others comes before them.
      held.unshift({ name, holders });
      continue;
    }
    remove(name);
    for (const each of held) if (each.holders.every((holder) => gone.has(holder))) remove(each.name);
    held = held.filter((each) => !gone.has(each.name));
  }
  return visits;
};
