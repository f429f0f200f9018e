import type { FamilyStream } from "@portage/connector-kit";
import { cursorOf, type Position } from "../chunk/task.ts";

/**
 * One walk through the copies of a stream. A tool keeps a record while others of its kind are below it, such as the categories of
 * a category, and the walk may meet the upper one first: what the tool keeps is tried once more, until a pass removes nothing.
 */
export interface RemovalPass {
  /** The last row of the ledger that it settled. */
  readonly after: string | null;
  readonly isFirst: boolean;
  /** What the tool keeps in this pass stays for good. */
  readonly isLast: boolean;
  /** Whether it removed something, so that another pass may remove more. */
  readonly removed: boolean;
  /** Whether the tool kept something that is to be tried once more. */
  readonly left: boolean;
}

/** Whether records of this stream can be below others of it. */
export const isTree = ({ name, relations }: Pick<FamilyStream, "name" | "relations">): boolean =>
  Object.values(relations).some(({ to }) => to.includes(name));

const isPass = (at: unknown): at is RemovalPass => typeof at === "object" && at !== null && "isLast" in at;

/**
 * The pass at a position. Of the first one that is its last row alone, as long as the tool keeps nothing, since an earlier release
 * knows no other position: whether it removed something is not kept, and at worst costs one more pass.
 */
export const passAt = (position: Position, tree: boolean): RemovalPass => {
  const at = cursorOf(position);
  return isPass(at)
    ? at
    : { after: at as string | null, isFirst: true, isLast: !tree, removed: at !== null, left: false };
};

/** The position after a page; `next`: its last row, null: there is no more. */
export const passAfter = (pass: RemovalPass, next: string | null): Position => {
  if (next !== null) return { at: pass.isFirst && !pass.left ? next : { ...pass, after: next } };
  return pass.left
    ? {
        at: {
          after: null,
          isFirst: false,
          isLast: !pass.removed,
          removed: false,
          left: false,
        } satisfies RemovalPass,
      }
    : { ended: true };
};
