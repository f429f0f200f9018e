import type { DestinationStream } from "./destination.ts";

/** The streams whose records may hold one of this stream, of those that a tool offers. */
export const holdersOf = (
  { parents, stream }: DestinationStream,
  offered: readonly DestinationStream[],
): readonly DestinationStream[] => {
  if (stream.parent === null) return [];
  const names = parents ?? stream.relations[stream.parent]?.to ?? [];
  return offered.filter((each) => each.stream !== stream && names.includes(each.stream.name));
};

/** Whether an undo takes such copies away: by themselves, or, where a tool knows no other way, with what holds them. */
export const isRemovable = (to: DestinationStream, offered: readonly DestinationStream[]): boolean => {
  if (to.remove) return true;
  const holders = holdersOf(to, offered);
  return holders.length > 0 && holders.every((each) => isRemovable(each, offered));
};
