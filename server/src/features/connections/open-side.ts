import {
  type Connector,
  type Destination,
  instanceId,
  type Io,
  isConnectorError,
  type RateLimit,
} from "@portage/connector-kit";
import {
  type Authorizer,
  createAuthorizer,
  createByteBudget,
  createHttp,
  type Limiter,
  type Transport,
} from "@portage/connector-kit/http";
import { LRUCache } from "lru-cache";
import type { Database } from "../../platform/db.ts";
import { type Metrics, noMetrics } from "../../platform/metrics/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import { findOAuthClient, namedFor, type ToolRegistry } from "../tools/index.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createAuthorizationServer, hasSignInPage } from "./authorization-server.ts";
import { chosenBefore } from "./choose-sign-in.ts";
import type { Side } from "./connection.ts";
import { createKeptAnswers } from "./kept-answers.ts";
import { createOffered } from "./offered.ts";
import { measureLimiter, measureTransport } from "./measure-requests.ts";
import { refuseWrites } from "./reads-only.ts";
import { findConnection, markExpired } from "./store.ts";

export type Opened =
  | {
      readonly kind: "open";
      readonly connector: Connector;
      readonly settings: unknown;
      readonly accountId: string;
      /** Identifies the sign-in: a failure with it says nothing about a later one. */
      readonly revision: number;
      /** `mayStart` is called right before each request is sent. */
      io(signal: AbortSignal, mayStart?: () => boolean): Io;
      /** The streams that this instance takes, cached for a while. */
      offered(signal: AbortSignal): Promise<Destination>;
    }
  /** The side was never connected, or was disconnected or purged. */
  | { readonly kind: "missing" };

export type OpenSide = (at: {
  readonly importId: string;
  readonly side: Side;
  readonly runId: string | null;
}) => Promise<Opened>;

/** The account whose quota a request counts towards, and the quota. */
export interface LimitedAccount {
  readonly tool: string;
  /** Where the account is; accounts of one instance fail together. */
  readonly instance: string;
  readonly accountId: string;
  readonly side: Side;
  readonly runId: string | null;
  readonly limits: readonly RateLimit[];
  readonly concurrency: number;
}

export interface OpenSideNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly transport: Transport;
  /** Shared by all users of an account: across processes by tool limits, or within one process. */
  readonly limiterFor: (of: LimitedAccount) => Limiter;
  /** The bytes of large answers that this process receives at a time; omitted: any number. */
  readonly largeAnswerBytes?: number;
  readonly metrics?: Metrics;
}

const sessionMs = 600_000;

/** How old the answers may be that a connector keeps over several steps. */
const sharedMs = 600_000;
/** Few at a time, since each may hold thousands of people. */
const maxShared = 50;

/** Reports when nothing can renew a sign-in that the tool refuses. */
const watched = (authorizer: Authorizer, onRefused: () => Promise<unknown>): Authorizer => ({
  ...authorizer,
  headers: (request, http) =>
    authorizer.headers(request, http).catch(async (error: unknown) => {
      // A key that the tool gives no session for.
      if (isConnectorError(error) && error.recovery === "reauthorize") await onRefused();
      throw error;
    }),
  renew: async (refused) => {
    if (await authorizer.renew(refused)) return true;
    await onRefused();
    return false;
  },
});

/** Opens a side for runs: the tool's connector, the customer's settings, and an HTTP client for the tool. */
export const createOpenSide = (needs: OpenSideNeeds): OpenSide => {
  const { db, sealer, registry, transport, limiterFor, largeAnswerBytes, metrics = noMetrics } = needs;
  const answerBudget = largeAnswerBytes === undefined ? null : createByteBudget(largeAnswerBytes);
  const findClient = (tool: string, origin: string) => findOAuthClient(db, sealer, tool, origin);
  const server = createAuthorizationServer({ transport, findClient });
  const accessTokens = createAccessTokens({ db, sealer, server });
  const offered = createOffered();
  /** Of tools with sessions: one session lasts for many steps of a run. */
  const signedIn = new LRUCache<string, Authorizer>({ max: 1_000, ttl: sessionMs });
  const shared = new LRUCache<string, object>({ max: maxShared, ttl: sharedMs, ttlAutopurge: true });
  /** Of one run: what people put right in a tool after a sample is seen by the next one. */
  const sharedIn = (key: string) => {
    const kept = shared.get(key) ?? {};
    if (!shared.has(key)) shared.set(key, kept);
    return kept;
  };
  const keptAnswers = createKeptAnswers();
  return async ({ importId, side, runId }) => {
    const found = await findConnection(db, sealer, { importId, side });
    if (!found) return { kind: "missing" };
    const installed = registry.find(found.tool);
    if (!installed) throw new Error(`There is no tool ${found.tool}: is its package still installed?`);
    const named = namedFor(installed, found.partnerName);
    const manifest = chosenBefore(named.manifest, found.settings);
    const connector = { ...named, manifest };
    const { accountId, revision } = found;
    const at = { importId, side };
    const parsed = manifest.settings.safeParse(found.settings);
    if (!parsed.success) {
      // A newer connector requires a setting that this customer was not asked for.
      await markExpired(db.sql, at, revision);
      return { kind: "missing" };
    }
    const settings = parsed.data;
    const [address] = manifest.hosts(settings).api;
    const measured = { metrics, tool: manifest.name, side };
    const limits = limiterFor({
      tool: manifest.name,
      instance: address === undefined ? "" : instanceId(address),
      accountId,
      side,
      runId,
      limits: manifest.limits,
      concurrency: manifest.concurrency,
    });
    const limiter = measureLimiter(limits, measured);
    const tokens = hasSignInPage(manifest) ? accessTokens(at, { manifest, settings }, revision) : null;
    const key = `${importId}:${side}:${revision}`;
    const known = signedIn.get(key) ?? createAuthorizer(manifest, settings, tokens);
    if (manifest.auth.kind === "secret" && manifest.auth.session) signedIn.set(key, known);
    const kept = runId === null ? null : sharedIn(`${key}:${runId}`);
    const answers = runId === null || side !== "source" ? null : keptAnswers(`${key}:${runId}`);
    const authorizer = watched(known, () => markExpired(db.sql, at, revision));
    const io = (signal: AbortSignal, mayStart?: () => boolean): Io => {
      const http = createHttp({
        manifest,
        settings,
        transport: measureTransport(transport, measured),
        authorizer,
        limiter,
        signal,
        ...(answerBudget ? { answerBudget } : {}),
        ...(mayStart ? { mayStart } : {}),
      });
      return {
        settings,
        signal,
        scope: {},
        ...(kept && { shared: kept }),
        ...(answers && { kept: answers }),
        http: side === "source" ? refuseWrites(http, manifest.label) : http,
      };
    };
    return {
      kind: "open",
      connector,
      settings,
      accountId,
      revision,
      io,
      offered: (signal) => offered(key, connector, () => io(signal)),
    };
  };
};
