import { type Facts, type LoadedMapping, suggestMapping } from "../../../features/mapping/index.ts";
import { Problem } from "../../answer.ts";

/** What a route knows of an import's matching. */
export interface Matching {
  readonly facts: Facts;
  readonly current: LoadedMapping;
}

export type FindMatching = (importId: string) => Promise<Matching>;

export const notGathered = () =>
  new Problem("conflict", "Both tools must be asked first what there is to match.");

/** What is done as things stand: what was saved, or what is suggested where nothing was. */
export const decidedIn = ({ facts, current }: Matching) =>
  current.revision > 0 ? current.mapping : suggestMapping(facts);
