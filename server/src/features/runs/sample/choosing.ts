import { candidateKey } from "./candidate.ts";
import type { ChooseWork } from "./choose-work.ts";

/** How far the choice of a sample has come, for people. */
export interface Choosing {
  /** `looking`: through records to choose from. `gathering`: what belongs to the chosen ones. */
  readonly stage: "looking" | "gathering";
  /** Records that were compared, by stream. */
  readonly looked: readonly { readonly stream: string; readonly records: number }[];
  /** The chosen records; the title is null until the record is read, or if it has none. */
  readonly picked: readonly { readonly stream: string; readonly id: string; readonly title: string | null }[];
  /** Records in the sample so far, with all that belongs to them. */
  readonly gathered: number;
}

export const choosingOf = ({ roots, choice, closure }: ChooseWork): Choosing => ({
  stage: closure ? "gathering" : "looking",
  looked: roots.filter(({ taken }) => taken > 0).map(({ stream, taken }) => ({ stream, records: taken })),
  picked: (choice?.chosen ?? []).map(({ stream, id }) => ({
    stream,
    id,
    title: closure?.titles?.get(candidateKey({ stream, id })) ?? null,
  })),
  gathered: closure?.records.size ?? 0,
});
