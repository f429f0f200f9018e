import { replaced } from "./replaced.ts";

/**
 * The reason of a row whose write was given up without an answer: it may be in the destination all the same. Its detail
 * names its parent, as `stream/id` of the source: some tools look for nothing without it.
 */
export const inDoubt = "in_doubt";

/** Whether a copy may be there of which nobody knows the id. */
export const isInDoubt = ({
  destId,
  reason,
}: {
  readonly destId: string | null;
  readonly reason: string | null;
}): boolean => destId === null && (reason === inDoubt || reason === replaced);
