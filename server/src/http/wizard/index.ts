import { createCountRecords, createSettle, fixQuote } from "../../features/billing/index.ts";
import type { PaymentProvider } from "../../features/checkout/index.ts";
import { findSignIn } from "../../features/connections/index.ts";
import { findAnyImport } from "../../features/imports/index.ts";
import { findLink, findSession, linkHash, openSession } from "../../features/links/index.ts";
import { stopByKey } from "../../features/mail/index.ts";
import { loadMapping } from "../../features/mapping/index.ts";
import { findPartner } from "../../features/partners/index.ts";
import { lookAtSimulation } from "../../features/simulator/index.ts";
import { labelFor } from "../../features/tools/index.ts";
import type { Mounted } from "../server.ts";
import { accessRoutes } from "./access/access-routes.ts";
import { mountWizardRoutes } from "./access/gate.ts";
import { billingRoutes } from "./billing/billing-routes.ts";
import { type ChoosingRoutesNeeds, choosingRoutes } from "./choosing/choosing-routes.ts";
import { type ConnectionRoutesNeeds, connectionRoutes } from "./connections/connection-routes.ts";
import { type MatchingRoutesNeeds, matchingRoutes } from "./matching/matching-routes.ts";
import { type OverviewRoutesNeeds, overviewRoutes } from "./overview/overview-routes.ts";
import { assets } from "./pages/assets.ts";
import { wayIn } from "./pages/customer-link.ts";
import { signInReturn } from "./pages/sign-in-return.ts";
import { stopMails } from "./pages/stop-mails.ts";
import { type RunRoutesNeeds, runRoutes } from "./runs/run-routes.ts";
import { sampleRoutes } from "./sample/sample-routes.ts";

export interface WizardNeeds
  extends ConnectionRoutesNeeds,
    OverviewRoutesNeeds,
    Omit<MatchingRoutesNeeds, "findImport">,
    Omit<ChoosingRoutesNeeds, "findMatching">,
    Omit<RunRoutesNeeds, "fixQuote"> {
  readonly publicUrl: string;
  /** Where the built pages are. */
  readonly webFolder: string;
  /** Takes customers' money from now on; null: nothing can be bought here. */
  readonly payments: PaymentProvider | null;
  /** Those that ever took money, to look at what became of it. */
  readonly providers: readonly PaymentProvider[];
}

export interface Wizard {
  readonly routes: readonly Mounted[];
  /** Ends the streams of progress, which have no end of their own. */
  endStreams(): void;
  /** Ends streams and whatever still asks the tools. */
  close(): void;
}

/** All that the customer's link opens: its pages, and the API behind the wizard. Every route is mounted here. */
export const createWizard = (needs: WizardNeeds): Wizard => {
  const { db, sealer, registry, publicUrl, webFolder } = needs;
  const gate = {
    publicUrl,
    findImport: (id: string) => findAnyImport(db, sealer, id),
    findSession: (importId: string, key: string) => findSession(db, importId, key),
  };
  const matching = matchingRoutes({ ...needs, findImport: gate.findImport });
  const choosing = choosingRoutes({ ...needs, findMatching: matching.findMatching });
  const countRecords = createCountRecords({
    counter: choosing.counter,
    loadMapping: (importId) => loadMapping(db, importId),
  });
  const runs = runRoutes({ ...needs, fixQuote: fixQuote({ db, countRecords }) });
  const billing = billingRoutes({
    ...needs,
    settle: createSettle({ db }),
    provider: needs.payments,
    countRecords,
  });
  return {
    routes: [
      ...wayIn({
        ...gate,
        webFolder,
        findPartner: (id) => findPartner(db, id),
        findLink: (importId, token) => findLink(db, importId, linkHash(token)),
        openSession: ({ id, linkMark }, link) => openSession(db, { importId: id, linkMark, link }),
        lookAtSimulation: (id) => lookAtSimulation({ db, sealer }, id),
        labelOf: (tool, partnerName) => labelFor(registry, tool, partnerName),
      }),
      signInReturn({ findSignIn: (tool, state) => findSignIn(db, tool, state) }),
      assets(webFolder),
      ...stopMails({ stopByKey: (importId, key) => stopByKey(db, sealer, importId, key) }),
      ...mountWizardRoutes(
        [
          ...accessRoutes(needs),
          ...connectionRoutes(needs),
          ...overviewRoutes(needs),
          ...choosing.routes,
          ...matching.routes,
          ...sampleRoutes(needs),
          ...runs.routes,
          ...billing,
        ],
        gate,
      ),
    ],
    endStreams: () => runs.feed.close(),
    close() {
      runs.feed.close();
      matching.gatherings.close();
      choosing.counter.close();
    },
  };
};
