import { findStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

/** What was seen of some copies. */
export interface Looked {
  readonly checked: number;
  readonly edited: number;
  /** Somebody deleted them. */
  readonly gone: number;
  readonly usedByAnother: number;
  /** Bound to a copy that stays: it is in them, points to them, or they are parts of it. */
  readonly bound: number;
}

export interface StreamPreview {
  readonly stream: string;
  readonly label: string;
  /** Copies that are there because of this import. */
  readonly copies: number;
  /** Found there and linked: they stay as they are. Null: no copy was checked to its end. */
  readonly matched: number | null;
  /** False: this tool has no way to remove them, so that all stay. */
  readonly removable: boolean;
  /** Null: nobody could look. */
  readonly looked: Looked | null;
  readonly willGo: number;
  readonly willStay: number;
  /** Whether the two were counted, or reckoned from those that were looked at. */
  readonly exact: boolean;
}

/** What an undo would do. Pure: from what is there, and what was seen of it. */
export const previewStream = (
  family: Family,
  given: {
    readonly stream: string;
    readonly copies: number;
    readonly matched: number | null;
    readonly removable: boolean;
    readonly looked: Looked | null;
  },
): StreamPreview => {
  const { stream, copies, removable, looked } = given;
  const keeps = looked ? looked.edited + looked.usedByAnother + looked.bound : 0;
  const all = looked === null ? false : looked.checked >= copies;
  const share = looked && looked.checked > 0 ? keeps / looked.checked : 0;
  // What is in doubt is said to stay: nobody is to miss what they were told would be there.
  const willStay = removable ? (all ? keeps : Math.min(copies, Math.ceil(share * copies))) : copies;
  return {
    ...given,
    label: findStream(family, stream)?.label ?? stream,
    willStay,
    willGo: copies - willStay,
    exact: !removable || all || copies === 0,
  };
};

/** How many of each stream are looked at: about `most` together, each by its share, and of none nothing at all. */
export const shareOut = (
  items: Readonly<Record<string, number>>,
  most: number,
): Readonly<Record<string, number>> => {
  const all = Object.values(items).reduce((sum, count) => sum + count, 0);
  if (all <= most) return items;
  return Object.fromEntries(
    Object.entries(items).map(([stream, count]) => [
      stream,
      Math.min(count, Math.max(1, Math.floor((count / all) * most))),
    ]),
  );
};
