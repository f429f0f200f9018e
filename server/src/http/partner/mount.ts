import type { FastifyReply, FastifyRequest } from "fastify";
import { type Answer, invalid } from "../answer.ts";
import { hasBody, type JsonBody, readJsonObject } from "../body.ts";
import { parseQuery } from "../query.ts";
import type { Mounted } from "../server.ts";
import { limit, type TakeTurn } from "../rate-limit.ts";
import { authenticatePartner, type PartnerAuthNeeds } from "./gate.ts";
import type { Call, PartnerRoute } from "./operation.ts";

export interface MountNeeds extends PartnerAuthNeeds {
  /** Omitted: no rate limit and no RateLimit headers (the sandbox). */
  readonly takeTurn?: TakeTurn;
}

const repeatedParameter = ({ operation }: PartnerRoute, name: string) => {
  const fine = (operation.errorKeys ?? []).map((key): [string, string[]] => [key, []]);
  return invalid(Object.fromEntries([...fine, [name, ["must be given once"]]]));
};

const emptyBody: JsonBody = { text: "", object: {} };

const call = async (
  route: PartnerRoute,
  request: FastifyRequest,
  partner: Call["partner"],
): Promise<Answer> => {
  const { id = "" } = request.params as { id?: string };
  const parsed = parseQuery(request.raw.url ?? "");
  if (parsed.kind === "repeated") return repeatedParameter(route, parsed.name);
  const { body: schema, bodyIsOptional } = route.operation;
  const isEmpty = !schema || (bodyIsOptional && !hasBody(request.raw));
  const body = isEmpty ? emptyBody : await readJsonObject(request.raw);
  return route.handle({
    partner,
    requestId: request.id,
    importId: id,
    query: parsed.query,
    body: body.object,
    bodyText: body.text,
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  });
};

/** Mounts a partner's routes under a prefix, each behind authentication and the rate limit. */
export const mountPartnerRoutes = (
  prefix: string,
  routes: readonly PartnerRoute[],
  needs: MountNeeds,
): readonly Mounted[] =>
  routes.map((route) => ({
    method: route.operation.method,
    path: `${prefix}${route.operation.path}`,
    answer: async (request: FastifyRequest, reply: FastifyReply) => {
      const partner = await authenticatePartner(needs, request);
      request.partnerId = partner.id;
      // Set before the call, so that error responses carry them too.
      if (needs.takeTurn) reply.headers(await limit(needs.takeTurn, partner.id));
      return call(route, request, partner);
    },
  }));
