import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type Answer, invalid, Problem } from "../answer.ts";
import { hasBody, readJsonObject } from "../body.ts";
import type { Mounted } from "../server.ts";
import { isFromElsewhere } from "./console-session.ts";
import { InvalidInput } from "./invalid-input.ts";
import { read, securityHeaders } from "./mount.ts";

/** An operation for one who has not signed in yet. */
export interface VisitorOperation<Body extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: Body;
  /** What comes back; null: an empty 204. */
  readonly answer: z.ZodType | null;
  /** Further answers, by status. */
  readonly errors?: Readonly<Record<number, string>>;
}

export interface VisitorRoute {
  readonly operation: VisitorOperation;
  handle(visit: { readonly request: FastifyRequest; readonly body: unknown }): Promise<Answer>;
}

/** Ties the handler's types to the operation's schema. */
export const visitorRoute = <Body extends z.ZodObject>(
  operation: VisitorOperation<Body>,
  handle: (visit: { readonly request: FastifyRequest; readonly body: z.output<Body> }) => Promise<Answer>,
): VisitorRoute => ({ operation, handle });

/** Mounts routes that need no session. No other site's page may sign a browser in. */
export const mountVisitorRoutes = (
  prefix: string,
  routes: readonly VisitorRoute[],
  operatorUrl: string,
): readonly Mounted[] =>
  routes.map(({ operation, handle }) => ({
    method: operation.method,
    path: `${prefix}${operation.path}`,
    answer: async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
      reply.headers(securityHeaders);
      if (operation.method !== "GET" && isFromElsewhere(request, operatorUrl))
        throw new Problem("forbidden", `This must come from the console at ${operatorUrl} (OPERATOR_URL).`);
      try {
        const given =
          operation.method !== "GET" && hasBody(request.raw)
            ? (await readJsonObject(request.raw)).object
            : {};
        return await handle({ request, body: read((operation.body ?? z.object({})).strict(), given) });
      } catch (error) {
        if (error instanceof InvalidInput) return invalid(error.errors);
        throw error;
      }
    },
  }));
