import { type Facts, type LoadedMapping, suggestMapping } from "../../../features/mapping/index.ts";
import { Problem } from "../../answer.ts";

/** The facts to match and the current mapping of an import. */
export interface Matching {
  readonly facts: Facts;
  readonly current: LoadedMapping;
}

export type FindMatching = (importId: string) => Promise<Matching>;

export const notGathered = () =>
  new Problem("conflict", "Start by reading what there is to match in both tools.");

/** The mapping in effect: the saved one, or the suggestion if none is saved. */
export const decidedIn = ({ facts, current }: Matching) =>
  current.revision > 0 ? current.mapping : suggestMapping(facts);
