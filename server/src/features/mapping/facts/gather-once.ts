import type { Family } from "@portage/contract";
import { gatherFacts, type Side } from "./gather-facts.ts";
import { type FactsNeeds, hasFacts, saveFacts } from "./store-facts.ts";

/** Asks both tools what there is to match, unless that is known already. */
export const gatherOnce = async (
  needs: FactsNeeds,
  { importId, family }: { readonly importId: string; readonly family: Family },
  source: Side,
  destination: Side,
): Promise<{ readonly source: number; readonly destination: number } | null> => {
  if (await hasFacts(needs.db, importId)) return null;
  const facts = await gatherFacts(source, destination, family);
  await saveFacts(needs, importId, facts);
  return { source: facts.people.source.length, destination: facts.people.destination.length };
};
