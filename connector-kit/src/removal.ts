import type { DestinationStream } from "./destination.ts";

/** The offered streams whose records can be parents of this stream's records. */
export const holdersOf = (
  { parents, stream }: DestinationStream,
  offered: readonly DestinationStream[],
): readonly DestinationStream[] => {
  if (stream.parent === null) return [];
  const names = parents ?? stream.relations[stream.parent]?.to ?? [];
  return offered.filter((each) => each.stream !== stream && names.includes(each.stream.name));
};

/** Whether an undo removes such copies: directly or, if the tool can't, together with their parents. */
export const isRemovable = (to: DestinationStream, offered: readonly DestinationStream[]): boolean => {
  if (to.remove) return true;
  const holders = holdersOf(to, offered);
  return holders.length > 0 && holders.every((each) => isRemovable(each, offered));
};
