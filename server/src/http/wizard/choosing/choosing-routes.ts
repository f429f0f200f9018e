import type { DestinationStreams, OpenSide } from "../../../features/connections/index.ts";
import { createSourceCounts, type SourceCounter } from "../../../features/inventory/index.ts";
import { loadMapping, saveMapping } from "../../../features/mapping/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Log } from "../../../platform/log.ts";
import type { FindMatching } from "../matching/matching.ts";
import type { WizardRoute } from "../access/route.ts";
import { changeSelection } from "./change-selection.ts";
import { showChoices } from "./show-choices.ts";
import { showFound } from "./show-found.ts";

export interface ChoosingRoutesNeeds {
  readonly db: Database;
  readonly log: Log;
  readonly openSide: OpenSide;
  readonly destinationStreams: DestinationStreams;
  readonly requestsPerMinute: (tool: string, accountId: string) => Promise<number | null>;
  readonly findMatching: FindMatching;
}

/** The records found in the tools, and the selection to move. Close the counter with the server. */
export const choosingRoutes = (
  needs: ChoosingRoutesNeeds,
): { readonly routes: readonly WizardRoute[]; readonly counter: SourceCounter } => {
  const { db } = needs;
  const counter = createSourceCounts(needs);
  const routes = [
    showFound({ ...needs, counter }),
    showChoices({ ...needs, counter, loadMapping: (importId) => loadMapping(db, importId) }),
    changeSelection({
      findMatching: needs.findMatching,
      saveMapping: (importId, based, mapping) =>
        saveMapping(db, importId, { mapping, based, actor: "customer" }),
    }) as WizardRoute,
  ];
  return { routes, counter };
};
