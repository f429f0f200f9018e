import { simulationIdPattern } from "@portage/contract";
import {
  catchUpAll,
  createLoadSimulatedSummaries,
  createSimulation,
  findOpenSimulation,
  findSimulatedReport,
  listOpenSimulations,
  listSimulatedEvents,
  moveSimulation,
  reissueSimulationLink,
} from "../../../features/simulator/index.ts";
import type { ToolRegistry } from "../../../features/tools/index.ts";
import { findTarget, listDeliveries, replayEvent } from "../../../features/webhooks/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import type { PartnerRoute } from "../operation.ts";
import { sandboxSigner } from "../sandbox/fixtures.ts";
import { cancelImport } from "../v2.1/cancel-import.ts";
import { acceptSponsorship, type Decide, rejectSponsorship } from "../v2.1/decide-sponsorship.ts";
import { listDeliveriesRoute } from "../v2.1/list-deliveries.ts";
import { listEventsRoute } from "../v2.1/list-events.ts";
import { listImportsRoute } from "../v2.1/list-imports.ts";
import { listOldLinksRoute } from "../v2.1/list-old-links.ts";
import { listTools } from "../v2.1/list-tools.ts";
import { reissueLinkRoute } from "../v2.1/reissue-link.ts";
import { replayDelivery } from "../v2.1/replay-delivery.ts";
import { showImportRoute } from "../v2.1/show-import.ts";
import { reportRoutes } from "../v2.1/show-report.ts";
import { webhookEndpointRoutes } from "../v2.1/webhook-endpoint.ts";
import { createSimulationRoute } from "./create-simulation.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly webhookAllow: readonly string[];
  readonly publicUrl: string;
  readonly baseUrl: string;
}

/** The operations of version 2.1 on simulations only: imports do not exist here, nor simulations in version 2.1. */
export const simulatorRoutes = (needs: Needs): readonly PartnerRoute[] => {
  const { db, sealer, registry, publicUrl, baseUrl } = needs;
  const loadSummaries = createLoadSimulatedSummaries(db, sealer);
  const decide: Decide = (partnerId, id, decision) =>
    moveSimulation(needs, partnerId, id, { type: `sponsorship_${decision}` });
  return [
    listTools({ registry }),
    createSimulationRoute({ createSimulation: createSimulation(needs), publicUrl }),
    listImportsRoute({
      loadSummaries,
      publicUrl,
      baseUrl,
      idPattern: simulationIdPattern,
      listImports: (partnerId, filter, page) => listOpenSimulations(needs, partnerId, filter, page),
    }),
    showImportRoute({
      loadSummaries,
      publicUrl,
      findImport: (partnerId, id) => findOpenSimulation(needs, partnerId, id),
    }),
    // A simulation moves no records.
    listOldLinksRoute({
      isKnown: async (partnerId, id) => (await findOpenSimulation(needs, partnerId, id)) !== undefined,
      oldLinks: { resolve: async () => null, list: async () => ({ links: [], next: null }) },
      baseUrl,
    }),
    ...reportRoutes({
      findReport: (partnerId, id) => findSimulatedReport(needs, partnerId, id),
      signer: sandboxSigner,
    }),
    acceptSponsorship(decide),
    rejectSponsorship(decide),
    cancelImport((partnerId, id) => moveSimulation(needs, partnerId, id, { type: "cancelled" })),
    reissueLinkRoute({
      reissue: ({ partner, importId }) => reissueSimulationLink(needs, partner.id, importId),
      publicUrl,
    }),
    listEventsRoute({
      loadSummaries,
      listEvents: async (partnerId, page) => {
        await catchUpAll(needs, partnerId);
        return listSimulatedEvents(db, sealer, partnerId, page);
      },
    }),
    // A partner has one endpoint, for both.
    ...webhookEndpointRoutes(needs),
    listDeliveriesRoute({
      list: (partnerId, asked) => listDeliveries(db, partnerId, { ...asked, of: "simulations" }),
      findTarget: (partnerId) => findTarget(db, partnerId),
    }),
    replayDelivery((partnerId, eventId) => replayEvent(db, partnerId, eventId, "simulations")),
  ];
};
