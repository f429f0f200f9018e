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
import { createTurns, takeTurns } from "../../features/rate-limit/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Mounted } from "../server.ts";
import { mountPartnerRoutes } from "./mount.ts";
import { openApiDocument } from "./openapi.ts";
import type { PartnerRoute } from "./operation.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { createSignInFailures } from "./sign-in-failures.ts";
import { cancelImport } from "./v2.1/cancel-import.ts";
import { createImport } from "./v2.1/create-import.ts";
import { acceptSponsorship, type Move, rejectSponsorship } from "./v2.1/decide-sponsorship.ts";
import { listEvents } from "./v2.1/list-events.ts";
import { listImports } from "./v2.1/list-imports.ts";
import { listTools } from "./v2.1/list-tools.ts";
import { showImport } from "./v2.1/show-import.ts";

export interface PartnerApiNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly checkDestination: CheckDestination;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  readonly signInFailuresPerMinute: number;
}

const liveRoutes = (needs: PartnerApiNeeds, baseUrl: string): readonly PartnerRoute[] => {
  const { db, sealer, registry, publicUrl } = needs;
  const move: Move = (partnerId, importId, event) =>
    moveImport(db, event, { importId, partnerId, actor: { kind: "partner", partnerId } });
  return [
    listTools({ registry }),
    createImport({ createImport: createImportFeature(needs), once: createOnce(db, sealer), publicUrl }),
    listImports({
      listImports: (partnerId, usernames, page) => listStoredImports(db, sealer, partnerId, usernames, page),
      publicUrl,
      baseUrl,
    }),
    showImport({ findImport: (partnerId, id) => findImport(db, sealer, partnerId, id), publicUrl }),
    acceptSponsorship(move),
    rejectSponsorship(move),
    cancelImport(move),
    listEvents({ listEvents: (partnerId, page) => listStoredEvents(db, sealer, partnerId, page) }),
  ];
};

/** The partner API: version 2.1 and its sandbox, and the document that describes both. */
export const partnerApi = (needs: PartnerApiNeeds): { routes: readonly Mounted[]; openApi: object } => {
  const { db, registry, publicUrl } = needs;
  const signIn = {
    authenticator: createAuthenticator(db),
    failures: createSignInFailures(needs.signInFailuresPerMinute),
  };
  const live = liveRoutes(needs, `${publicUrl}/api/v2.1`);
  return {
    routes: [
      ...mountPartnerRoutes("/api/v2.1", live, {
        ...signIn,
        takeTurn: createTurns((partnerIds) => takeTurns(db, partnerIds)),
      }),
      ...mountPartnerRoutes("/api/sandbox", sandboxRoutes({ registry, publicUrl }), signIn),
    ],
    openApi: openApiDocument(live.map(({ operation }) => operation)),
  };
};
