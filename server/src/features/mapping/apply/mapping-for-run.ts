import { type FactsNeeds, loadFacts } from "../facts/store-facts.ts";
import { type LoadedMapping, loadMapping, markUsed, saveMapping } from "../model/store.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";

/**
 * The revision that a run uses, which is kept from then on. If the customer decided nothing, the suggestion becomes the
 * first revision, so that it is on record; without facts it is revision 0.
 */
export const mappingForRun = async (needs: FactsNeeds, importId: string): Promise<LoadedMapping> => {
  const current = await loadMapping(needs.db, importId);
  if (current.revision > 0) {
    // Twenty newer revisions were saved in the meantime and pruned this one: use the newest instead.
    if (await markUsed(needs.db, importId, current.revision)) return current;
    return mappingForRun(needs, importId);
  }
  const facts = await loadFacts(needs, importId);
  if (!facts) return current;
  await saveMapping(needs.db, importId, { mapping: suggestMapping(facts), based: 0, actor: "system" });
  return mappingForRun(needs, importId);
};
