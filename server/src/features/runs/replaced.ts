/**
 * The reason of a row whose copy was made before somebody was chosen in its place: the detail names who that is, if
 * anybody. The copy goes at the end of a run, when nothing points to it any more, or with an undo.
 */
export const replaced = "replaced";

interface Standing {
  readonly destId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

/** What others point to in the destination. */
export const standsAt = ({ destId, reason, detail }: Standing): string | null =>
  reason === replaced ? detail : destId;
