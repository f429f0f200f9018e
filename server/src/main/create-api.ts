import {
  createAuthorizationServer,
  createCheckDestination,
  createTrySettings,
  type ToolCheck,
} from "../features/connections/index.ts";
import { createSettle, takeNotice } from "../features/billing/index.ts";
import type { PaymentProvider } from "../features/checkout/index.ts";
import { createFindKinds } from "../features/inventory/index.ts";
import { createPreflight } from "../features/preflight/index.ts";
import { findOAuthClient, type ToolRegistry } from "../features/tools/index.ts";
import { createQuotaOf, type OpenSide, type PreviewNeeds, type QuotaNeeds } from "../features/runs/index.ts";
import { apiChangesPage } from "../http/docs/api-changes.ts";
import { referenceRoutes } from "../http/docs/reference.ts";
import { reportKeysRoute } from "../http/docs/report-keys.ts";
import { healthRoutes } from "../http/health.ts";
import { partnerApi } from "../http/partner/index.ts";
import { stripeInbound } from "../http/inbound/stripe.ts";
import { createHttpServer, type HttpServer, type Mounted } from "../http/server.ts";
import { createWizard } from "../http/wizard/index.ts";
import type { RunRoutesNeeds } from "../http/wizard/runs/run-routes.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { Outbound } from "../platform/outbound/index.ts";
import type { Sealer } from "../platform/seal.ts";
import type { Signer } from "../platform/sign.ts";

export interface ApiParts {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly signer: Signer;
  readonly registry: ToolRegistry;
  readonly toolChecks: ReadonlyMap<string, ToolCheck>;
  readonly outbound: Outbound;
  readonly log: Log;
  readonly publicUrl: string;
  readonly webFolder: string;
  /** Whether customers can ask to be written to. Left out: nobody is. */
  readonly sendsMail?: boolean;
  /** Who takes customers' money. Left out: nobody. */
  readonly providers?: readonly PaymentProvider[];
  readonly signInFailuresPerMinute: number;
  readonly requestTimeoutMs: number;
  readonly trustedProxies: readonly string[];
  /** Left out: no side can be opened from here, so that nothing is said that would need it. */
  readonly openSide?: OpenSide;
  readonly destinationStreams?: PreviewNeeds["destinationStreams"];
  /** Left out: no quota is known. */
  readonly quota?: QuotaNeeds;
  readonly requestsPerMinute?: (tool: string, accountId: string) => Promise<number | null>;
  readonly feed?: RunRoutesNeeds["feed"];
  /** By whom customers buy from now on; left out: nothing can be bought here. */
  readonly payments?: PaymentProvider | null;
  /** How long anybody waits while both tools are asked what there is to match; left out: as long as is usual. */
  readonly gatherWithinMs?: number;
}

/** Where those who take money tell us what became of it. */
const paymentNotices = ({ db, log, providers = [] }: ApiParts): readonly Mounted[] => {
  const provider = providers.find(({ name }) => name === "stripe");
  const settle = createSettle({ db });
  return provider ? [stripeInbound({ provider, take: takeNotice({ db, log, provider, settle }) })] : [];
};

const nothingOpen: OpenSide = async () => ({ kind: "missing" });

/** Whoever waits for the answer, and whatever stands in between, hangs up after a minute at the latest. */
const preflightWithinMs = 25_000;

/** Puts the API together; it does not listen yet. */
export const createApi = (parts: ApiParts): HttpServer & { readonly openApi: object } => {
  const { db, sealer, registry } = parts;
  const quota = parts.quota && { quotaOf: createQuotaOf(parts.quota) };
  const sides = {
    openSide: parts.openSide ?? nothingOpen,
    destinationStreams: parts.destinationStreams ?? (async () => []),
  };
  const requestsPerMinute = parts.requestsPerMinute ?? (async () => null);
  const wizard = createWizard({
    ...parts,
    ...quota,
    ...sides,
    requestsPerMinute,
    sendsMail: parts.sendsMail ?? false,
    payments: parts.payments ?? null,
    providers: parts.providers ?? [],
    trySettings: createTrySettings(registry, parts.toolChecks),
    onRevoked: (importId, side, revoked) =>
      parts.log.info(
        {
          import_id: importId,
          side,
          revoked: revoked.kind,
          ...(revoked.kind === "failed" && { code: revoked.code }),
        },
        "sign-in erased",
      ),
    findKinds: createFindKinds({ registry, ...sides }),
    preflight: createPreflight({ db, sealer, ...sides, withinMs: preflightWithinMs, requestsPerMinute }),
    server: createAuthorizationServer({
      transport: parts.outbound,
      findClient: (tool) => findOAuthClient(db, sealer, tool),
    }),
  });
  const { routes, openApi } = partnerApi({
    ...parts,
    ...quota,
    checkDestination: createCheckDestination(registry, parts.toolChecks),
  });
  const server: HttpServer = createHttpServer(
    [
      ...routes,
      ...referenceRoutes(openApi),
      apiChangesPage,
      ...wizard.routes,
      reportKeysRoute(parts.signer.publicKeys),
      ...paymentNotices(parts),
      ...healthRoutes({
        askDatabase: () => db.pool.query("select 1"),
        isDraining: () => server.isDraining(),
      }),
    ],
    parts,
  );
  // Streams have no end of their own: whatever closes the server must not wait for them.
  server.app.addHook("preClose", async () => wizard.close());
  const drain = () => {
    server.drain();
    wizard.endStreams();
  };
  return { ...server, drain, openApi };
};
