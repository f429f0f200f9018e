import type { Mode } from "@portage/sdk";
import Fastify, { type FastifyInstance } from "fastify";
import { moveRoutes } from "./moving/move-routes.ts";
import { createChanges, type Moving } from "./moving/moving.ts";
import { catchUp } from "./moving/catch-up.ts";
import { webhookRoute } from "./moving/webhook-route.ts";
import { pageRoutes } from "./pages/routes.ts";
import type { Limits } from "./protocol/describe.ts";
import { protocolRoutes } from "./protocol/routes.ts";
import { ensureOwner } from "./store/store-calls.ts";
import type { Store } from "./store/store.ts";

export interface AppNeeds {
  readonly store: Store;
  /** The secret with which Portage signs its calls. */
  readonly secret: string;
  readonly publicUrl: string;
  readonly accountName: string;
  /** Which Portage moves the data; every page says so unless it is production, the default. */
  readonly mode?: Mode;
  /** Left out: customers can't move data here themselves. */
  readonly moving?: Moving;
  readonly limits?: Partial<Limits>;
  readonly callsPerSecond?: number;
  readonly now?: () => number;
  readonly logs?: boolean;
}

const defaultLimits: Limits = { batchItems: 100, bodyBytes: 8 * 1024 * 1024, fileBytes: 1024 ** 3 };

/** The desk: pages for users, and under /portage the calls of the destination protocol. */
export const createApp = (needs: AppNeeds): FastifyInstance => {
  const now = needs.now ?? Date.now;
  const mode = needs.mode ?? "production";
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
  app.register(
    pageRoutes({
      store: needs.store,
      accountName: needs.accountName,
      now,
      hasMoves: needs.moving !== undefined,
      mode,
    }),
  );
  if (needs.moving) {
    const moving = { ...needs, ...needs.moving, now, mode, changes: createChanges() };
    app.register(webhookRoute(moving));
    app.register(moveRoutes(moving));
    // In the background: the desk starts even if Portage is unreachable, and Portage retries webhooks.
    app.addHook("onListen", async () => void catchUp(moving).catch((error: unknown) => app.log.warn(error)));
  }
  return app;
};
