import { createTurns, takeTurns } from "../../features/rate-limit/index.ts";
import { createSessionLookup, createStaffLookup, type OidcClient } from "../../features/staff/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import type { Mounted } from "../server.ts";
import { createSignInGuard } from "../sign-in-guard.ts";
import { operatorBase } from "./base.ts";
import { operatorBillingRoutes } from "./billing-routes.ts";
import { cookieSession } from "./console-session.ts";
import { erasureRoutes } from "./erasure-routes.ts";
import { eitherSession, tokenSession } from "./gate.ts";
import { importControl, type ImportControlNeeds } from "./import-control.ts";
import { importReads, type ImportReadsNeeds, previewUndo, type PreviewUndoNeeds } from "./import-reads.ts";
import { mountOperatorRoutes } from "./mount.ts";
import { oauthClientRoutes } from "./oauth-client-routes.ts";
import { oidcRoutes, oidcStart } from "./oidc-routes.ts";
import { operatorOpenApi } from "./openapi.ts";
import type { OperatorRoute } from "./operation.ts";
import { partnerRoutes } from "./partner-routes.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { staffRoutes } from "./staff-routes.ts";
import { showOverview, systemRoutes, toolRoutes } from "./system-routes.ts";
import { mountVisitorRoutes } from "./visitor.ts";
import { webhookRoutes, type WebhookRoutesNeeds } from "./webhook-routes.ts";

export { oidcCallback } from "./oidc-routes.ts";

export interface OperatorApiNeeds
  extends ImportReadsNeeds,
    PreviewUndoNeeds,
    ImportControlNeeds,
    WebhookRoutesNeeds {
  readonly db: Database;
  readonly log: Log;
  readonly registry: ToolRegistry;
  readonly signInFailuresPerMinute: number;
  /** Where browsers reach this API: without a trailing slash. */
  readonly operatorUrl: string;
  /** Omitted: there is no sign-in by an identity provider. */
  readonly oidc?: OidcClient | null;
}

/** All routes of the operator API, in the order of its reference. */
export const operatorRoutes = (given: Omit<OperatorApiNeeds, "db" | "log">): readonly OperatorRoute[] => {
  const needs = { ...given, tools: () => given.registry };
  return [
    ...importReads(needs),
    previewUndo(needs),
    ...importControl(needs),
    ...erasureRoutes(needs),
    ...partnerRoutes(needs),
    ...webhookRoutes(needs),
    ...operatorBillingRoutes(needs),
    showOverview(needs),
    ...toolRoutes(needs),
    ...systemRoutes(),
    ...oauthClientRoutes(needs),
    ...staffRoutes(needs),
  ];
};

/** The operator API, for a port of its own, and its OpenAPI document. */
export const operatorApi = (
  needs: OperatorApiNeeds,
): { readonly routes: readonly Mounted[]; readonly openApi: object } => {
  const { db, operatorUrl } = needs;
  const guard = createSignInGuard(needs.signInFailuresPerMinute);
  const routes = operatorRoutes(needs);
  const { oidc = null } = needs;
  const signInNeeds = {
    ...needs,
    guard,
    oidc: oidc && { label: oidc.label, start: oidcStart },
  };
  const visitorRoutes = signInRoutes(signInNeeds);
  return {
    routes: [
      ...mountVisitorRoutes(operatorBase, visitorRoutes, operatorUrl),
      ...(oidc ? oidcRoutes(oidc, signInNeeds) : []),
      ...mountOperatorRoutes(operatorBase, routes, {
        db,
        operatorUrl,
        findSession: eitherSession(
          tokenSession(guard, createStaffLookup(db)),
          cookieSession(operatorUrl, guard, createSessionLookup(db)),
        ),
        takeTurn: createTurns((ids) => takeTurns(db, ids)),
      }),
    ],
    openApi: operatorOpenApi(
      routes.map(({ operation }) => operation),
      visitorRoutes.map(({ operation }) => operation),
    ),
  };
};
