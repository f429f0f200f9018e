import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { errorsByProperty } from "@portage/contract";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { May, Session } from "../../../features/links/index.ts";
import { type Answer, invalid, Problem } from "../../answer.ts";
import { readJsonObject } from "../../body.ts";
import { parsePath, parseQuery } from "../../query.ts";
import type { Mounted } from "../../server.ts";
import type { WizardRoute } from "./route.ts";
import { fromOwnPages } from "./same-origin.ts";
import { sameToken } from "./same-token.ts";
import { sessionCookies } from "./session-cookie.ts";

export interface GateNeeds {
  readonly findImport: (id: string) => Promise<ImportRecord | undefined>;
  readonly findSession: (importId: string, key: string) => Promise<Session | undefined>;
  readonly publicUrl: string;
}

export const importEnded = () =>
  new Problem("not_found", "There is no such import, or it was cancelled or archived.");

const notLetIn = () =>
  new Problem(
    "unauthorized",
    "Open the customer's link again, or send its token as a bearer token. This one is missing, wrong, expired or replaced by a newer link.",
    { "www-authenticate": 'Bearer realm="Portage"' },
  );

const forbidden = (message: string) => new Problem("forbidden", message);

const bearerToken = (header: string) => /^Bearer +(\S+) *$/i.exec(header)?.[1];

const sameText = (given: unknown, kept: string) =>
  typeof given === "string" &&
  given.length === kept.length &&
  timingSafeEqual(Buffer.from(given), Buffer.from(kept));

const bySession = async (needs: GateNeeds, request: FastifyRequest, importId: string): Promise<Session> => {
  const key = sessionCookies(needs.publicUrl).read(request.headers.cookie, importId);
  const session = key === undefined ? undefined : await needs.findSession(importId, key);
  if (!session) throw notLetIn();
  const changes = request.method !== "GET" && request.method !== "HEAD";
  if (!fromOwnPages(request.headers, new URL(needs.publicUrl).origin, changes))
    throw forbidden("This request did not come from the wizard's own pages.");
  if (changes && !sameText(request.headers["x-portage-csrf"], session.csrf))
    throw forbidden("The page is out of date. Load it again, then repeat what you did.");
  return session;
};

interface Entered {
  readonly found: ImportRecord;
  readonly session: Session | null;
}

/** Authenticates a request as the customer, by the link's token or by a session. No other code decides this. */
const enter = async (needs: GateNeeds, request: FastifyRequest, route: WizardRoute): Promise<Entered> => {
  const { id = "" } = request.params as { id?: string };
  const found = await needs.findImport(parsePath(id));
  if (!found) throw importEnded();
  const closed = found.state.closed !== null;
  if (closed && !route.evenClosed) throw importEnded();
  const { authorization } = request.headers;
  let session: Session | null = null;
  if (authorization === undefined)
    session = await bySession(needs, request, found.id).catch((error: unknown) => {
      throw closed ? importEnded() : error;
    });
  else {
    const token = bearerToken(authorization);
    if (token === undefined || !sameToken(token, found.linkToken)) throw closed ? importEnded() : notLetIn();
  }
  request.partnerId = found.partnerId;
  return { found, session };
};

/** Restricts a session that may only connect one side to the routes open to it. */
const refuseTheRest = (may: May, route: WizardRoute, side: string) => {
  if (may === "everything" || route.openToAdmin === "always") return;
  if (route.openToAdmin === "own_side" && side === may.connect) return;
  throw forbidden(
    `This link only connects the ${may.connect === "source" ? "old" : "new"} tool. Its sender can do the rest.`,
  );
};

const call = async (
  route: WizardRoute,
  request: FastifyRequest,
  { found, session }: Entered,
): Promise<Answer> => {
  const parsed = parseQuery(request.raw.url ?? "");
  if (parsed.kind === "repeated") return invalid({ [parsed.name]: ["must be given once"] });
  const params = request.params as Readonly<Record<string, string>>;
  const param = (name: string) => parsePath(params[name] ?? "");
  const may = session?.may ?? "everything";
  refuseTheRest(may, route, param("side"));
  const body = route.body?.safeParse((await readJsonObject(request.raw, route.maxBodyBytes)).object);
  if (body && !body.success) return invalid(errorsByProperty(body.error));
  return route.handle({ import: found, session, may, param, query: parsed.query, body: body?.data });
};

/** Mounts the customer's routes under the import's address, each behind authentication. */
export const mountWizardRoutes = (routes: readonly WizardRoute[], needs: GateNeeds): readonly Mounted[] =>
  routes.map((route) => ({
    method: route.method,
    path: `/wizard/api/imports/:id${route.path}`,
    answer: async (request) => call(route, request, await enter(needs, request, route)),
  }));
