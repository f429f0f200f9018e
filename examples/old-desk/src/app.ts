import Fastify, { type FastifyInstance } from "fastify";
import { apiRoutes } from "./api-routes.ts";
import { pageRoutes } from "./pages/routes.ts";
import type { Store } from "./store.ts";

/** The old help desk: pages for people, and under /api the lists that its connector reads. */
export const createOldDesk = (needs: { readonly store: Store; readonly key: string }): FastifyInstance => {
  const app = Fastify({ logger: false, forceCloseConnections: true, routerOptions: { maxParamLength: 200 } });
  app.register(apiRoutes(needs), { prefix: "/api" });
  app.register(pageRoutes(needs));
  return app;
};
