import {
  createQuotaOf,
  type OpenRunSide,
  type QuotaNeeds,
  type UndoPreviewNeeds,
} from "../features/runs/index.ts";
import { healthRoutes } from "../http/health.ts";
import { consolePages } from "../http/operator/console-pages.ts";
import { operatorApi, type OperatorApiNeeds } from "../http/operator/index.ts";
import { createHttpServer, type HttpOptions, type HttpServer } from "../http/server.ts";
import { createReadiness } from "./readiness.ts";

export interface OperatorApiParts
  extends Omit<OperatorApiNeeds, "openSide" | "destinationStreams" | "quotaOf">,
    HttpOptions {
  /** Omitted: no tool can be opened, so that an undo's preview can't look for edits. */
  readonly openSide?: OpenRunSide;
  readonly destinationStreams?: UndoPreviewNeeds["destinationStreams"];
  /** The folder of the built pages. */
  readonly webFolder: string;
  /** Omitted: no quota is known. */
  readonly quota?: QuotaNeeds;
}

/** Assembles the operator API for its own port; it does not listen yet. */
export const createOperatorApi = (parts: OperatorApiParts): HttpServer & { readonly openApi: object } => {
  const { db, sealer, quota } = parts;
  const { routes, openApi } = operatorApi({
    ...parts,
    openSide: parts.openSide ?? (async () => ({ kind: "missing" })),
    destinationStreams: parts.destinationStreams ?? (async () => []),
    ...(quota && { quotaOf: createQuotaOf(quota) }),
  });
  const server: HttpServer = createHttpServer(
    [
      ...routes,
      ...consolePages(parts.webFolder),
      ...healthRoutes({
        requireReady: createReadiness(db, sealer),
        isDraining: () => server.isDraining(),
      }),
    ],
    parts,
  );
  return { ...server, openApi };
};
