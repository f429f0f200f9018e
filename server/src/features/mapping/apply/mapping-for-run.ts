import { type FactsNeeds, loadFacts } from "../facts/store-facts.ts";
import { type LoadedMapping, loadMapping, markUsed, saveMapping } from "../model/store.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";

/**
 * The revision that a run goes by, which is kept from then on. Where the customer decided nothing, what is suggested
 * becomes the first revision, so that what was done is on record; without facts it is revision 0.
 */
export const mappingForRun = async (needs: FactsNeeds, importId: string): Promise<LoadedMapping> => {
  const current = await loadMapping(needs.db, importId);
  if (current.revision > 0) {
    // Twenty others were saved in this moment: then one of those is the newest.
    if (await markUsed(needs.db, importId, current.revision)) return current;
    return mappingForRun(needs, importId);
  }
  const facts = await loadFacts(needs, importId);
  if (!facts) return current;
  await saveMapping(needs.db, importId, { mapping: suggestMapping(facts), based: 0, actor: "system" });
  return mappingForRun(needs, importId);
};
