import { decideSponsorship } from "../../features/billing/index.ts";
import type { CheckDestination } from "../../features/connections/index.ts";
import { listEvents } from "../../features/events/index.ts";
import { createOnce } from "../../features/idempotency/index.ts";
import { createImport, findImport, listImports, moveImport } from "../../features/imports/index.ts";
import { createAuthenticator } from "../../features/partners/index.ts";
import {
  createLoadImportSummaries,
  createOldLinks,
  findReport,
  type QuotaOf,
} from "../../features/runs/index.ts";
import { createTurns, takeTurns } from "../../features/rate-limit/index.ts";
import { findTarget, listDeliveries, replayEvent } from "../../features/webhooks/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Signer } from "../../platform/sign.ts";
import type { Mounted } from "../server.ts";
import { apiTokenRequired } from "./gate.ts";
import { mountPartnerRoutes } from "./mount.ts";
import { openApiDocument } from "./openapi.ts";
import type { PartnerRoute } from "./operation.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { simulatorRoutes } from "./simulator/routes.ts";
import { createSignInGuard } from "../sign-in-guard.ts";
import { cancelImport } from "./v2.1/cancel-import.ts";
import { createImportRoute } from "./v2.1/create-import.ts";
import { acceptSponsorship, type Decide, rejectSponsorship } from "./v2.1/decide-sponsorship.ts";
import { listDeliveriesRoute } from "./v2.1/list-deliveries.ts";
import { listEventsRoute } from "./v2.1/list-events.ts";
import { listImportsRoute } from "./v2.1/list-imports.ts";
import { listOldLinksRoute } from "./v2.1/list-old-links.ts";
import { listTools } from "./v2.1/list-tools.ts";
import { reissueAudited } from "./v2.1/reissue-audited.ts";
import { reissueLinkRoute } from "./v2.1/reissue-link.ts";
import { replayDelivery } from "./v2.1/replay-delivery.ts";
import { showImportRoute } from "./v2.1/show-import.ts";
import { reportRoutes } from "./v2.1/show-report.ts";
import { webhookEndpointRoutes } from "./v2.1/webhook-endpoint.ts";

export interface PartnerApiNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Signs the summaries of reports. */
  readonly signer: Signer;
  readonly registry: ToolRegistry;
  readonly checkDestination: CheckDestination;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly signInFailuresPerMinute: number;
  /** Private hosts that webhooks may call, as exact host:port. */
  readonly webhookAllow: readonly string[];
  /** The destinations' quotas; omitted: unknown. */
  readonly quotaOf?: QuotaOf;
}

const liveRoutes = (needs: PartnerApiNeeds, baseUrl: string): readonly PartnerRoute[] => {
  const { db, sealer, registry, publicUrl } = needs;
  const loadSummaries = createLoadImportSummaries(db, needs.quotaOf);
  const decide: Decide = (partnerId, importId, decision) =>
    decideSponsorship(db, { importId, partnerId, decision, actor: { kind: "partner", partnerId } });
  return [
    listTools({ registry }),
    createImportRoute({ createImport: createImport(needs), once: createOnce(db, sealer), publicUrl }),
    listImportsRoute({
      loadSummaries,
      listImports: (partnerId, filter, page) =>
        listImports(db, sealer, { ...filter, partnerId, closed: false }, page),
      publicUrl,
      baseUrl,
    }),
    showImportRoute({
      findImport: (partnerId, id) => findImport(db, sealer, partnerId, id),
      loadSummaries,
      publicUrl,
    }),
    listOldLinksRoute({
      isKnown: async (partnerId, id) => (await findImport(db, sealer, partnerId, id)) !== undefined,
      oldLinks: createOldLinks(db, registry),
      baseUrl,
    }),
    ...reportRoutes({
      findReport: async (partnerId, id) => {
        const found = await findImport(db, sealer, partnerId, id);
        return found && { found, report: await findReport(db, found) };
      },
      signer: needs.signer,
    }),
    acceptSponsorship(decide),
    rejectSponsorship(decide),
    cancelImport((partnerId, importId) =>
      moveImport(db, { type: "cancelled" }, { importId, partnerId, actor: { kind: "partner", partnerId } }),
    ),
    reissueLinkRoute({ reissue: reissueAudited(db, sealer), publicUrl }),
    ...webhookEndpointRoutes(needs),
    listEventsRoute({
      listEvents: (partnerId, page) => listEvents(db, sealer, partnerId, page),
      loadSummaries,
    }),
    listDeliveriesRoute({
      list: (partnerId, asked) => listDeliveries(db, partnerId, { ...asked, of: "imports" }),
      findTarget: (partnerId) => findTarget(db, partnerId),
    }),
    replayDelivery((partnerId, eventId) => replayEvent(db, partnerId, eventId)),
  ];
};

/** The partner API: version 2.1, its sandbox and its simulator, and the OpenAPI document of all three. */
export const partnerApi = (needs: PartnerApiNeeds): { routes: readonly Mounted[]; openApi: object } => {
  const { db, publicUrl } = needs;
  const authenticator = createAuthenticator(db);
  const signIn = { authenticator, guard: createSignInGuard(needs.signInFailuresPerMinute) };
  // A guard of its own, since the sandbox never answers 429 and counts towards nothing.
  const sandboxSignIn = {
    authenticator,
    guard: createSignInGuard(needs.signInFailuresPerMinute, { refusal: apiTokenRequired }),
  };
  // One shared counter: the rate limit applies to the partner.
  const limited = { ...signIn, takeTurn: createTurns((partnerIds) => takeTurns(db, partnerIds)) };
  const live = liveRoutes(needs, `${publicUrl}/api/v2.1`);
  return {
    routes: [
      ...mountPartnerRoutes("/api/v2.1", live, limited),
      ...mountPartnerRoutes(
        "/api/simulator",
        simulatorRoutes({ ...needs, baseUrl: `${publicUrl}/api/simulator` }),
        limited,
      ),
      ...mountPartnerRoutes("/api/sandbox", sandboxRoutes(needs), sandboxSignIn),
    ],
    openApi: openApiDocument(
      publicUrl,
      live.map(({ operation }) => operation),
    ),
  };
};
