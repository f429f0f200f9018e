/**
 * The customer's side over HTTP: the pages behind a customer link, and the JSON API under /wizard/api/imports/:id.
 *
 * Entry points: `createWizard` assembles all routes; a subfolder holds one step of the wizard and exports its routes.
 * A route is a `WizardRoute` (access/route.ts); access/gate.ts authenticates and authorizes each call of the API.
 *
 * Invariants: a request acts only on the import of its link or session; a session that may only connect one side
 * reaches only routes with `openToAdmin`; a change by cookie needs the session's CSRF token; no response shows a
 * tool's secrets.
 */
import { createSettle, fixQuote, saveChoice } from "../../features/billing/index.ts";
import type { PaymentProvider } from "../../features/payment-providers/index.ts";
import { findSignIn } from "../../features/connections/index.ts";
import { findAnyImport } from "../../features/imports/index.ts";
import { findLink, findSession, linkHash, openCustomerSession } from "../../features/links/index.ts";
import { stopByKey } from "../../features/mail/index.ts";
import type { Mapping } from "../../features/mapping/index.ts";
import { createOldLinks } from "../../features/runs/index.ts";
import { findPartner } from "../../features/partners/index.ts";
import { lookAtSimulation } from "../../features/simulator/index.ts";
import { labelFor } from "../../features/tools/index.ts";
import { createAttemptLimit } from "../../platform/attempt-limit.ts";
import { builtAssets } from "../built-pages.ts";
import type { Mounted } from "../server.ts";
import { createSignInGuard } from "../sign-in-guard.ts";
import { accessRoutes } from "./access/access-routes.ts";
import { mountWizardRoutes } from "./access/gate.ts";
import { wizardBillingRoutes } from "./billing/billing-routes.ts";
import { type ChoosingRoutesNeeds, choosingRoutes } from "./choosing/choosing-routes.ts";
import { type ConnectionRoutesNeeds, connectionRoutes } from "./connections/connection-routes.ts";
import { type UploadRoutesNeeds, uploadRoutes } from "./connections/upload-routes.ts";
import { type MatchingRoutesNeeds, matchingRoutes } from "./matching/matching-routes.ts";
import { type OverviewRoutesNeeds, overviewRoutes } from "./overview/overview-routes.ts";
import { customerLinkRoutes } from "./pages/customer-link.ts";
import { oldLinkRoute } from "./pages/old-link.ts";
import { signInReturn } from "./pages/sign-in-return.ts";
import { stopMails } from "./pages/stop-mails.ts";
import { type RunRoutesNeeds, runRoutes } from "./runs/run-routes.ts";
import { sampleRoutes } from "./sample/sample-routes.ts";

export interface WizardNeeds
  extends ConnectionRoutesNeeds,
    OverviewRoutesNeeds,
    Omit<MatchingRoutesNeeds, "findImport" | "saveMapping">,
    Omit<ChoosingRoutesNeeds, "findMatching" | "saveMapping" | "sells">,
    Omit<RunRoutesNeeds, "fixQuote" | "oldLinks" | "findMatching"> {
  readonly publicUrl: string;
  /** Omitted: customers can't upload files. */
  readonly files?: UploadRoutesNeeds;
  readonly signInFailuresPerMinute: number;
  readonly connectAttemptsPerMinute: number;
  /** The folder with the built pages. */
  readonly webFolder: string;
  /** The provider of new purchases; null: customers can't buy. */
  readonly payments: PaymentProvider | null;
  /** All providers that ever took payments, to look up their state. */
  readonly providers: readonly PaymentProvider[];
}

export interface Wizard {
  readonly routes: readonly Mounted[];
  /** Ends the progress streams, which never end on their own. */
  endStreams(): void;
  /** Ends the streams and all pending reads from the tools. */
  close(): void;
}

/** Each can open a page at the payment provider, or close one. */
const payAttemptsPerMinute = 10;

/** Creates all routes that a customer link opens: the pages and the wizard's API. */
export const createWizard = (needs: WizardNeeds): Wizard => {
  const { db, sealer, registry, publicUrl, webFolder } = needs;
  const gate = {
    publicUrl,
    findImport: (id: string) => findAnyImport(db, sealer, id),
    findSession: (importId: string, key: string) => findSession(db, importId, key),
    guard: createSignInGuard(needs.signInFailuresPerMinute),
    attempts: {
      connect: createAttemptLimit(needs.connectAttemptsPerMinute),
      pay: createAttemptLimit(payAttemptsPerMinute),
    },
  };
  const settle = createSettle({ db });
  const save = saveChoice({ ...needs, settle });
  const saveMapping = (importId: string, based: number, mapping: Mapping) =>
    save(importId, { mapping, based, actor: "customer" });
  const matching = matchingRoutes({ ...needs, saveMapping, findImport: gate.findImport });
  const choosing = choosingRoutes({
    ...needs,
    saveMapping,
    findMatching: matching.findMatching,
    sells: needs.payments !== null,
  });
  const { countRecords } = choosing;
  const oldLinks = createOldLinks(db, registry);
  const runs = runRoutes({
    ...needs,
    oldLinks,
    findMatching: matching.findMatching,
    fixQuote: fixQuote({ db, countRecords }),
  });
  const billing = wizardBillingRoutes({
    ...needs,
    settle,
    provider: needs.payments,
    countRecords,
  });
  return {
    routes: [
      ...customerLinkRoutes({
        ...gate,
        webFolder,
        findPartner: (id) => findPartner(db, id),
        findLink: (importId, token) => findLink(db, importId, linkHash(token)),
        openSession: ({ id, linkMark }, link) => openCustomerSession(db, { importId: id, linkMark, link }),
        lookAtSimulation: (id) => lookAtSimulation({ db, sealer }, id),
        labelOf: (tool, partnerName) => labelFor(registry, tool, partnerName),
      }),
      oldLinkRoute({ resolve: oldLinks.follow }),
      signInReturn({ findSignIn: (tool, state) => findSignIn(db, tool, state) }),
      builtAssets(webFolder, "wizard"),
      ...stopMails({ stopByKey: (importId, key) => stopByKey(db, sealer, importId, key) }),
      ...mountWizardRoutes(
        [
          ...accessRoutes(needs),
          ...connectionRoutes(needs),
          ...(needs.files ? uploadRoutes(needs.files) : []),
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
      choosing.surveys.close();
    },
  };
};
