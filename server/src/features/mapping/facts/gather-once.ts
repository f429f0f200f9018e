import type { Family } from "@portage/contract";
import { gatherFacts, type ConnectedTool } from "./gather-facts.ts";
import { type FactsNeeds, hasFacts, saveFacts } from "./store-facts.ts";

/** Reads from both tools what there is to match, unless that is stored already. */
export const gatherOnce = async (
  needs: FactsNeeds,
  { importId, family }: { readonly importId: string; readonly family: Family },
  source: ConnectedTool,
  destination: ConnectedTool,
): Promise<{ readonly source: number; readonly destination: number } | null> => {
  if (await hasFacts(needs.db, importId)) return null;
  const facts = await gatherFacts(source, destination, family);
  await saveFacts(needs, importId, facts);
  return { source: facts.people.source.length, destination: facts.people.destination.length };
};
