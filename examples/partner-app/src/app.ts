import Fastify, { type FastifyInstance } from "fastify";
import { pageRoutes } from "./pages/routes.ts";
import type { Limits } from "./protocol/describe.ts";
import { protocolRoutes } from "./protocol/routes.ts";
import { ensureOwner } from "./store/store-calls.ts";
import type { Store } from "./store/store.ts";

export interface AppNeeds {
  readonly store: Store;
  /** What Portage signs its calls with. */
  readonly secret: string;
  readonly publicUrl: string;
  readonly accountName: string;
  readonly limits?: Partial<Limits>;
  readonly callsPerSecond?: number;
  readonly now?: () => number;
  readonly logs?: boolean;
}

const defaultLimits: Limits = { batchItems: 100, bodyBytes: 8 * 1024 * 1024, fileBytes: 1024 ** 3 };

/** The desk: pages for people, and under /portage the calls of the destination protocol. */
export const createApp = (needs: AppNeeds): FastifyInstance => {
  const now = needs.now ?? Date.now;
  ensureOwner(needs.store.database, "Robin Owner", "owner@desk.example", new Date(now()).toISOString());
  const app = Fastify({ logger: needs.logs ? { level: "warn" } : false, forceCloseConnections: true });
  app.register(
    protocolRoutes({
      ...needs,
      now,
      limits: { ...defaultLimits, ...needs.limits },
      callsPerSecond: needs.callsPerSecond ?? 500,
    }),
    { prefix: "/portage" },
  );
  app.register(pageRoutes({ store: needs.store, accountName: needs.accountName, now }));
  return app;
};
