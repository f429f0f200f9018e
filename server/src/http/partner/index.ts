import { decideSponsorship } from "../../features/billing/index.ts";
import type { CheckDestination } from "../../features/connections/index.ts";
import { listEvents as listStoredEvents } from "../../features/events/index.ts";
import { createOnce } from "../../features/idempotency/index.ts";
import {
  createImport as createImportFeature,
  findImport,
  listImports as listStoredImports,
  moveImport,
} from "../../features/imports/index.ts";
import { createAuthenticator } from "../../features/partners/index.ts";
import { createStandingsOf, type QuotaOf } from "../../features/runs/index.ts";
import { createTurns, takeTurns } from "../../features/rate-limit/index.ts";
import { listDeliveries as listStoredDeliveries, replayEvent } from "../../features/webhooks/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Mounted } from "../server.ts";
import { mountPartnerRoutes } from "./mount.ts";
import { openApiDocument } from "./openapi.ts";
import type { PartnerRoute } from "./operation.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { simulatorRoutes } from "./simulator/routes.ts";
import { createSignInFailures } from "./sign-in-failures.ts";
import { cancelImport } from "./v2.1/cancel-import.ts";
import { createImport } from "./v2.1/create-import.ts";
import { acceptSponsorship, type Decide, rejectSponsorship } from "./v2.1/decide-sponsorship.ts";
import { listDeliveries } from "./v2.1/list-deliveries.ts";
import { listEvents } from "./v2.1/list-events.ts";
import { listImports } from "./v2.1/list-imports.ts";
import { listTools } from "./v2.1/list-tools.ts";
import { replayDelivery } from "./v2.1/replay-delivery.ts";
import { showImport } from "./v2.1/show-import.ts";

export interface PartnerApiNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly checkDestination: CheckDestination;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly signInFailuresPerMinute: number;
  /** What is known of the destinations' quotas; left out: nothing. */
  readonly quotaOf?: QuotaOf;
}

const liveRoutes = (needs: PartnerApiNeeds, baseUrl: string): readonly PartnerRoute[] => {
  const { db, sealer, registry, publicUrl } = needs;
  const standingsOf = createStandingsOf(db, needs.quotaOf);
  const decide: Decide = (partnerId, importId, decision) =>
    decideSponsorship(db, { importId, partnerId, decision, actor: { kind: "partner", partnerId } });
  return [
    listTools({ registry }),
    createImport({ createImport: createImportFeature(needs), once: createOnce(db, sealer), publicUrl }),
    listImports({
      standingsOf,
      listImports: (partnerId, usernames, page) => listStoredImports(db, sealer, partnerId, usernames, page),
      publicUrl,
      baseUrl,
    }),
    showImport({
      findImport: (partnerId, id) => findImport(db, sealer, partnerId, id),
      standingsOf,
      publicUrl,
    }),
    acceptSponsorship(decide),
    rejectSponsorship(decide),
    cancelImport((partnerId, importId) =>
      moveImport(db, { type: "cancelled" }, { importId, partnerId, actor: { kind: "partner", partnerId } }),
    ),
    listEvents({
      listEvents: (partnerId, page) => listStoredEvents(db, sealer, partnerId, page),
      standingsOf,
    }),
    listDeliveries((partnerId, asked) => listStoredDeliveries(db, partnerId, { ...asked, of: "imports" })),
    replayDelivery((partnerId, eventId) => replayEvent(db, partnerId, eventId)),
  ];
};

/** The partner API: version 2.1, its sandbox and its simulator, and the document that describes all three. */
export const partnerApi = (needs: PartnerApiNeeds): { routes: readonly Mounted[]; openApi: object } => {
  const { db, registry, publicUrl } = needs;
  const signIn = {
    authenticator: createAuthenticator(db),
    failures: createSignInFailures(needs.signInFailuresPerMinute),
  };
  // One count for both: the limit is the partner's.
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
      ...mountPartnerRoutes("/api/sandbox", sandboxRoutes({ registry, publicUrl }), signIn),
    ],
    openApi: openApiDocument(live.map(({ operation }) => operation)),
  };
};
