import { createTurns, takeTurns } from "../../features/rate-limit/index.ts";
import { createStaffLookup } from "../../features/staff/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Mounted } from "../server.ts";
import { createSignInGuard } from "../sign-in-guard.ts";
import { operatorBase } from "./base.ts";
import { tokenSession } from "./gate.ts";
import { importControl, type ImportControlNeeds } from "./import-control.ts";
import { importReads, type ImportReadsNeeds } from "./import-reads.ts";
import { mountOperatorRoutes } from "./mount.ts";
import { operatorOpenApi } from "./openapi.ts";
import type { OperatorRoute } from "./operation.ts";
import { partnerRoutes } from "./partner-routes.ts";
import { staffRoutes } from "./staff-routes.ts";
import { systemRoutes } from "./system-routes.ts";
import { webhookRoutes, type WebhookRoutesNeeds } from "./webhook-routes.ts";

export interface OperatorApiNeeds extends ImportReadsNeeds, ImportControlNeeds, WebhookRoutesNeeds {
  readonly db: Database;
  readonly registry: ToolRegistry;
  readonly signInFailuresPerMinute: number;
}

/** All routes of the operator API, in the order of its reference. */
export const operatorRoutes = (needs: Omit<OperatorApiNeeds, "db">): readonly OperatorRoute[] => [
  ...importReads(needs),
  ...importControl(needs),
  ...partnerRoutes(needs),
  ...webhookRoutes(needs),
  ...systemRoutes(needs),
  ...staffRoutes,
];

/** The operator API, for a port of its own, and its OpenAPI document. */
export const operatorApi = (
  needs: OperatorApiNeeds,
): { readonly routes: readonly Mounted[]; readonly openApi: object } => {
  const { db } = needs;
  const routes = operatorRoutes(needs);
  return {
    routes: mountOperatorRoutes(operatorBase, routes, {
      db,
      findSession: tokenSession(createSignInGuard(needs.signInFailuresPerMinute), createStaffLookup(db)),
      takeTurn: createTurns((ids) => takeTurns(db, ids)),
    }),
    openApi: operatorOpenApi(routes.map(({ operation }) => operation)),
  };
};
