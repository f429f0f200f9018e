import type { ChoiceSaved } from "../../../features/billing/index.ts";
import type { ImportRecord } from "../../../features/imports/index.ts";
import {
  hasFacts,
  listDestinationPeople,
  listSourcePeople,
  loadFacts,
  loadMapping,
  type Mapping,
  saveFacts,
} from "../../../features/mapping/index.ts";
import type { OpenRunSide } from "../../../features/runs/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Log } from "../../../platform/log.ts";
import type { Sealer } from "../../../platform/seal.ts";
import type { WizardRoute } from "../access/route.ts";
import { changeMapping } from "./change-mapping.ts";
import { gatherFactsNow } from "./gather-facts-now.ts";
import { createGatherings, type Gatherings } from "./gatherings.ts";
import { listPeople } from "./list-people.ts";
import { listSuggestedPeople } from "./list-suggested-people.ts";
import { type FindMatching, notGathered } from "./matching.ts";
import { peopleFileRoutes } from "./people-file-routes.ts";
import { showMapping } from "./show-mapping.ts";
import { showPreview } from "./show-preview.ts";

export interface MatchingRoutesNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly openSide: OpenRunSide;
  readonly saveMapping: (importId: string, based: number, mapping: Mapping) => Promise<ChoiceSaved>;
  readonly findImport: (id: string) => Promise<ImportRecord | undefined>;
  /** Overrides the default deadline. */
  readonly gatherWithinMs?: number | undefined;
}

/** The customer matches what differs between the two tools. Close the gatherings with the server. */
export const matchingRoutes = (
  needs: MatchingRoutesNeeds,
): {
  readonly routes: readonly WizardRoute[];
  readonly gatherings: Gatherings;
  readonly findMatching: FindMatching;
} => {
  const { db, log, openSide } = needs;
  const gatherings = createGatherings({
    log,
    openSide,
    withinMs: needs.gatherWithinMs,
    saveFacts: (importId, facts) => saveFacts(needs, importId, facts),
    isOpen: async (importId) => (await needs.findImport(importId))?.state.closed === null,
  });
  const findMatching: FindMatching = async (importId) => {
    const facts = await loadFacts(needs, importId);
    if (!facts) throw notGathered();
    return { facts, current: await loadMapping(db, importId) };
  };
  const routes = [
    showMapping({ findMatching }),
    gatherFactsNow({ hasFacts: (importId) => hasFacts(db, importId), gather: gatherings.gather }),
    changeMapping({ findMatching, saveMapping: needs.saveMapping }) as WizardRoute,
    listPeople({
      findMatching,
      listSourcePeople: (importId, question) => listSourcePeople(needs, importId, question),
      listDestinationPeople: (importId, question) => listDestinationPeople(needs, importId, question),
    }),
    listSuggestedPeople({ findMatching }),
    ...peopleFileRoutes({ findMatching }),
    showPreview({ findMatching, openSide }) as WizardRoute,
  ];
  return { routes, gatherings, findMatching };
};
