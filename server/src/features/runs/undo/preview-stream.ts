import { findStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

/** What was seen of some copies. */
export interface Looked {
  readonly checked: number;
  readonly edited: number;
  /** Deleted in the destination. */
  readonly gone: number;
  readonly usedByAnother: number;
  /** Bound to a copy that stays: it is in them, points to them, or they are parts of it. */
  readonly bound: number;
}

export interface StreamPreview {
  readonly stream: string;
  readonly label: string;
  /** Copies that exist because of this import. */
  readonly copies: number;
  /** Found there and linked: they stay as they are. Null: no copy was verified to its end. */
  readonly matched: number | null;
  /** False: this tool can't remove them, so all stay. */
  readonly removable: boolean;
  /** Null: the copies could not be checked. */
  readonly looked: Looked | null;
  readonly willGo: number;
  readonly willStay: number;
  /** Whether the two were counted, or extrapolated from the checked copies. */
  readonly exact: boolean;
}

/** What an undo would do. Pure: from the figures, and what was seen of the copies. */
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
  // Doubtful copies count as staying: better than to miss one that was announced to stay.
  const willStay = removable ? (all ? keeps : Math.min(copies, Math.ceil(share * copies))) : copies;
  return {
    ...given,
    label: findStream(family, stream)?.label ?? stream,
    willStay,
    willGo: copies - willStay,
    exact: !removable || all || copies === 0,
  };
};

/** How many of each stream are checked: about `most` together, each by its share, and none of an empty stream. */
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
