import {
  createAuthorizationServer,
  createCheckDestination,
  createTrySettings,
  type ToolCheck,
} from "../features/connections/index.ts";
import { createSettle, takeNotice } from "../features/billing/index.ts";
import type { PaymentProvider } from "../features/payment-providers/index.ts";
import { createFindKinds } from "../features/inventory/index.ts";
import { createPreflight } from "../features/preflight/index.ts";
import { findOAuthClient, type ToolRegistry } from "../features/tools/index.ts";
import {
  createQuotaOf,
  type OpenRunSide,
  type UndoPreviewNeeds,
  type QuotaNeeds,
} from "../features/runs/index.ts";
import { apiChangesPage } from "../http/docs/api-changes.ts";
import { landingRoute } from "../http/docs/landing.ts";
import { referenceRoutes } from "../http/docs/reference.ts";
import { reportKeysRoute } from "../http/docs/report-keys.ts";
import { downloads } from "../http/downloads.ts";
import { siteRoutes } from "../http/docs/site.ts";
import { healthRoutes } from "../http/health.ts";
import { createReadiness } from "./readiness.ts";
import { partnerApi } from "../http/partner/index.ts";
import { stripeInbound } from "../http/inbound/stripe.ts";
import { createHttpServer, type HttpServer, type Mounted } from "../http/server.ts";
import { createWizard, type WizardNeeds } from "../http/wizard/index.ts";
import type { RunRoutesNeeds } from "../http/wizard/runs/run-routes.ts";
import { createAttemptLimit } from "../platform/attempt-limit.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/index.ts";
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
  /** Omitted: customers can't upload files. */
  readonly files?: NonNullable<WizardNeeds["files"]>;
  readonly log: Log;
  /** Omitted: there are none. */
  readonly metrics?: Metrics;
  readonly publicUrl: string;
  readonly webFolder: string;
  /** The folder of the packed SDK; omitted: it can't be downloaded. */
  readonly downloadsFolder?: string;
  /** The built documentation. Omitted: there is none, and /docs says so. */
  readonly siteFolder?: string | undefined;
  /** Whether customers can subscribe to mails. Default: false. */
  readonly sendsMail?: boolean;
  /** The address for canaries; omitted: there is none. */
  readonly canaryMailbox?: string | null;
  /** The payment providers. Default: none. */
  readonly providers?: readonly PaymentProvider[];
  readonly signInFailuresPerMinute: number;
  /** Private hosts that webhooks may call, as exact host:port. Default: none. */
  readonly webhookAllow?: readonly string[];
  /** For one import, and failed ones for one host that customers name. Default: no limit. */
  readonly connectAttemptsPerMinute?: number;
  readonly requestTimeoutMs: number;
  readonly trustedProxies: readonly string[];
  /** Omitted: the API can't open a customer's tool, and omits everything that it would read there. */
  readonly openSide?: OpenRunSide;
  readonly destinationStreams?: UndoPreviewNeeds["destinationStreams"];
  /** Omitted: no quota is known. */
  readonly quota?: QuotaNeeds;
  readonly requestsPerMinute?: (tool: string, accountId: string) => Promise<number | null>;
  readonly feed?: RunRoutesNeeds["feed"];
  /** The provider of new purchases; omitted: customers can't buy. */
  readonly payments?: PaymentProvider | null;
  /** The deadline for reading from both tools what there is to match; omitted: the default. */
  readonly gatherWithinMs?: number;
}

/** The routes on which payment providers report payments and refunds. */
const paymentNotices = ({ db, log, providers = [] }: ApiParts): readonly Mounted[] => {
  const provider = providers.find(({ name }) => name === "stripe");
  const settle = createSettle({ db });
  return provider ? [stripeInbound({ provider, take: takeNotice({ db, log, provider, settle }) })] : [];
};

const nothingOpen: OpenRunSide = async () => ({ kind: "missing" });

/** Below the timeout of clients and proxies, which is a minute at most. */
const preflightWithinMs = 25_000;

/** Assembles the API; it does not listen yet. */
export const createApi = (parts: ApiParts): HttpServer & { readonly openApi: object } => {
  const { db, sealer, registry } = parts;
  const quota = parts.quota && { quotaOf: createQuotaOf(parts.quota) };
  const sides = {
    openSide: parts.openSide ?? nothingOpen,
    destinationStreams: parts.destinationStreams ?? (async () => []),
  };
  const requestsPerMinute = parts.requestsPerMinute ?? (async () => null);
  const { connectAttemptsPerMinute = Infinity } = parts;
  const wizard = createWizard({
    ...parts,
    ...quota,
    ...sides,
    requestsPerMinute,
    connectAttemptsPerMinute,
    sendsMail: parts.sendsMail ?? false,
    payments: parts.payments ?? null,
    providers: parts.providers ?? [],
    trySettings: createTrySettings(registry, parts.toolChecks, {
      hostFailures: createAttemptLimit(connectAttemptsPerMinute),
    }),
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
    preflight: createPreflight({
      db,
      sealer,
      ...sides,
      withinMs: preflightWithinMs,
      requestsPerMinute,
      silence: { mailbox: parts.canaryMailbox ?? null },
    }),
    server: createAuthorizationServer({
      transport: parts.outbound,
      findClient: (tool, origin) => findOAuthClient(db, sealer, tool, origin),
    }),
  });
  const { routes, openApi } = partnerApi({
    ...parts,
    ...quota,
    webhookAllow: parts.webhookAllow ?? [],
    checkDestination: createCheckDestination(registry, parts.toolChecks),
  });
  const server: HttpServer = createHttpServer(
    [
      ...routes,
      landingRoute(parts.publicUrl),
      ...referenceRoutes(openApi),
      apiChangesPage,
      ...downloads({ folder: parts.downloadsFolder, publicUrl: parts.publicUrl }),
      ...siteRoutes(parts.siteFolder),
      ...wizard.routes,
      reportKeysRoute(parts.signer.publicKeys),
      ...paymentNotices(parts),
      ...healthRoutes({
        requireReady: createReadiness(db, sealer),
        isDraining: () => server.isDraining(),
      }),
    ],
    parts,
  );
  // Streams never end on their own: closing the server must not wait for them.
  server.app.addHook("preClose", async () => wizard.close());
  const drain = () => {
    server.drain();
    wizard.endStreams();
  };
  return { ...server, drain, openApi };
};
