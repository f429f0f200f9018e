import type { Connector } from "@portage/connector-kit";
import type { StatusCode } from "@portage/contract";
import { afterAll, beforeAll } from "vitest";
import type { RunMapping } from "../../server/src/features/runs/index.ts";
import type { PaymentProvider } from "../../server/src/features/payment-providers/index.ts";
import { findAnyImport } from "../../server/src/features/imports/index.ts";
import type { ToolRegistry } from "../../server/src/features/tools/index.ts";
import { createApi } from "../../server/src/main/create-api.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import type { Signer } from "../../server/src/platform/sign.ts";
import { type Received, send } from "../contract/http-client.ts";
import { createRunsFixture, openEnd } from "../runs/runs-fixture.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import { type StandIn, startStandIn } from "../tools/stand-in/stand-in.ts";
import { testRegistry, testSigner, testWebFolder } from "./fixtures.ts";

type Runs = Awaited<ReturnType<typeof createRunsFixture>>;
type Begun = Awaited<ReturnType<Runs["begin"]>>;

export interface BeginOptions {
  readonly source?: Partial<StandInOptions>;
  readonly destination?: Partial<StandInOptions>;
  readonly mapping?: Partial<RunMapping>;
  /** Wraps the destination's connector. */
  readonly changed?: (connector: Connector<never>) => Connector<never>;
  /** Wraps the source's connector. */
  readonly changedSource?: (connector: Connector<never>) => Connector<never>;
  readonly status?: StatusCode;
}

export interface RunWizard extends Begun {
  readonly source: StandIn;
  readonly destination: StandIn;
  readonly token: string;
  ask(method: string, path: string, body?: object): Promise<Received>;
  /** Requests an address and leaves the response open. */
  open(path: string, signal?: AbortSignal): Promise<Response>;
}

export const connector = standInConnector({
  family: "helpdesk",
  paging: "keyset",
  pageSize: 10,
  settles: "lookup",
}) as never as Connector<never>;

/** The API on loopback, with imports between two stand-ins whose runs a plain loop drives. */
export const useRunWizard = (
  feed: NonNullable<Parameters<typeof createApi>[0]["feed"]> = {},
  signer: Signer = testSigner(),
  gatherWithinMs = 20_000,
  payments: PaymentProvider | null = null,
  registry: ToolRegistry = testRegistry(),
) => {
  let runs: Runs;
  let api: ReturnType<typeof createApi>;
  let origin = "";
  let outbound: Outbound;
  const tools: StandIn[] = [];
  const ends = new Map<string, Record<"source" | "destination", ReturnType<typeof openEnd>>>();
  const gone = new Map<string, ReadonlySet<string>>();
  beforeAll(async () => {
    runs = await createRunsFixture();
    outbound = createOutbound();
    api = createApi({
      db: runs.db,
      sealer: runs.sealer,
      signer,
      registry,
      toolChecks: new Map(),
      outbound,
      log: createLog("silent"),
      publicUrl: "https://portage.example",
      webFolder: testWebFolder,
      signInFailuresPerMinute: 1_000_000,
      requestTimeoutMs: 30_000,
      trustedProxies: [],
      openSide: async ({ importId, side }) =>
        gone.get(importId)?.has(side)
          ? { kind: "missing" }
          : (ends.get(importId)?.[side] ?? { kind: "missing" }),
      destinationStreams: async (destination, family) => destination.connector.destination?.[family] ?? [],
      feed,
      gatherWithinMs,
      payments,
      providers: payments ? [payments] : [],
    });
    origin = await api.app.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(async () => {
    const closed = api.app.close();
    // An aborted request may leave a connection without any data: Node waits for it.
    setTimeout(() => api.app.server.closeAllConnections(), 500);
    await closed;
    await outbound.close();
    await Promise.all(tools.map((tool) => tool.close()));
    await runs.drop();
  });
  const begin = async (options: BeginOptions = {}): Promise<RunWizard> => {
    const source = await startStandIn({ hostile: false, largeText: 100, ...options.source });
    const destination = await startStandIn({ seed: "destination", upserts: false, ...options.destination });
    tools.push(source, destination);
    const to = options.changed?.(connector) ?? connector;
    const from = options.changedSource?.(connector) ?? connector;
    const one = await runs.begin(
      { connector: from, tool: source },
      { connector: to, tool: destination },
      {
        ...(options.mapping && { mapping: options.mapping }),
        ...(options.status && { status: options.status }),
      },
    );
    ends.set(one.importId, {
      source: openEnd({ connector: from, tool: source }),
      destination: openEnd({ connector: to, tool: destination }),
    });
    gone.set(one.importId, one.gone);
    const found = await findAnyImport(runs.db, runs.sealer, one.importId);
    const token = found?.linkToken.reveal() ?? "";
    const headers = { authorization: `Bearer ${token}` };
    const at = (path: string) => `/wizard/api/imports/${one.importId}${path}`;
    return {
      ...one,
      source,
      destination,
      token,
      ask: (method, path, body) => send(origin, { method, path: at(path), headers, ...(body && { body }) }),
      open: (path, signal) => fetch(`${origin}${at(path)}`, { headers, ...(signal && { signal }) }),
    };
  };
  return {
    begin,
    get runs() {
      return runs;
    },
    get api() {
      return api;
    },
    get origin() {
      return origin;
    },
  };
};
