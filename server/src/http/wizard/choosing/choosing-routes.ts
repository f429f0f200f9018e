import type { DestinationStreams, OpenSide } from "../../../features/connections/index.ts";
import {
  createSourceCounts,
  createSurveys,
  type SourceCounter,
  type Surveys,
} from "../../../features/inventory/index.ts";
import { loadMapping, type Mapping } from "../../../features/mapping/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Log } from "../../../platform/log.ts";
import type { FindMatching } from "../matching/matching.ts";
import type { WizardRoute } from "../access/route.ts";
import {
  type ChoiceSaved,
  type CountRecords,
  createCountRecords,
  previewPrice,
} from "../../../features/billing/index.ts";
import { findPartner } from "../../../features/partners/index.ts";
import { isPaid } from "../../../features/imports/index.ts";
import { changeSelection } from "./change-selection.ts";
import { countChoice } from "./count-choice.ts";
import { showChoiceValues } from "./show-choice-values.ts";
import { showChoices } from "./show-choices.ts";
import { showFound } from "./show-found.ts";

export interface ChoosingRoutesNeeds {
  readonly db: Database;
  readonly log: Log;
  readonly openSide: OpenSide;
  readonly destinationStreams: DestinationStreams;
  readonly requestsPerMinute: (tool: string, accountId: string) => Promise<number | null>;
  readonly findMatching: FindMatching;
  readonly saveMapping: (importId: string, based: number, mapping: Mapping) => Promise<ChoiceSaved>;
  /** Whether customers can pay here. */
  readonly sells: boolean;
}

/** The records found in the tools, and the selection to move. Close counter and surveys with the server. */
export const choosingRoutes = (
  needs: ChoosingRoutesNeeds,
): {
  readonly routes: readonly WizardRoute[];
  readonly counter: SourceCounter;
  readonly surveys: Surveys;
  readonly countRecords: CountRecords;
} => {
  const { db } = needs;
  const counter = createSourceCounts(needs);
  const surveys = createSurveys(needs);
  const countRecords = createCountRecords({
    counter,
    surveys,
    loadMapping: (importId) => loadMapping(db, importId),
  });
  const preview = previewPrice({ db, countRecords });
  const routes = [
    showFound({ ...needs, counter }),
    showChoices({ ...needs, counter, loadMapping: (importId) => loadMapping(db, importId) }),
    showChoiceValues({ counter, surveys }),
    countChoice({
      counter,
      surveys,
      priceOf: async (found, selection) => {
        if (!needs.sells || isPaid(found.state)) return null;
        if ((await findPartner(db, found.partnerId))?.payer !== "customer") return null;
        const price = await preview(found, selection);
        return price && { name: price.package.name, amount: price.package.amount, currency: price.currency };
      },
    }) as WizardRoute,
    changeSelection(needs) as WizardRoute,
  ];
  return { routes, counter, surveys, countRecords };
};
