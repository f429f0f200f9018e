import { createCheckDestination, type ToolCheck } from "../features/connections/index.ts";
import { findAnyImport } from "../features/imports/index.ts";
import type { ToolRegistry } from "../features/tools/index.ts";
import { apiChangesPage } from "../http/docs/api-changes.ts";
import { referenceRoutes } from "../http/docs/reference.ts";
import { healthRoutes } from "../http/health.ts";
import { partnerApi } from "../http/partner/index.ts";
import { createHttpServer, type HttpServer } from "../http/server.ts";
import { linkPage } from "../http/wizard/link-page.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { Sealer } from "../platform/seal.ts";

export interface ApiParts {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly toolChecks: ReadonlyMap<string, ToolCheck>;
  readonly log: Log;
  readonly publicUrl: string;
  readonly signInFailuresPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly trustedProxies: readonly string[];
}

/** Puts the API together; it does not listen yet. */
export const createApi = (parts: ApiParts): HttpServer & { readonly openApi: object } => {
  const { db, sealer, registry } = parts;
  const { routes, openApi } = partnerApi({
    ...parts,
    checkDestination: createCheckDestination(registry, parts.toolChecks),
  });
  const server: HttpServer = createHttpServer(
    [
      ...routes,
      ...referenceRoutes(openApi),
      apiChangesPage,
      linkPage({ findImport: (id) => findAnyImport(db, sealer, id), registry }),
      ...healthRoutes({
        askDatabase: () => db.pool.query("select 1"),
        isDraining: () => server.isDraining(),
      }),
    ],
    parts,
  );
  return { ...server, openApi };
};
