import { randomUUID } from "node:crypto";
import { maxHeaderSize } from "node:http";
import { Readable } from "node:stream";
import { errorStatuses } from "@portage/contract";
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { isDatabaseUnavailable } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { type Metrics, noMetrics } from "../platform/metrics/index.ts";
import {
  codeOf,
  inSpan,
  type OpenSpan,
  spanKind,
  statusAttribute,
  traceFields,
  withTrace,
} from "../platform/tracing.ts";
import { type Answer, Problem, problemAnswer } from "./answer.ts";
import { answerBrokenRequest, answerConnect } from "./broken-request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The authenticated partner, for the log. */
    partnerId: string | null;
    /** The authenticated person of the staff, for the log. */
    staffId: string | null;
    /** The trace of the request, for the log. */
    traceId: string | undefined;
  }
}

/** A route as the server mounts it: method, path and handler. */
export interface Mounted {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With `:name` for a parameter. */
  readonly path: string;
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>;
}

export interface HttpOptions {
  readonly log: Log;
  readonly trustedProxies: readonly string[];
  readonly requestTimeoutMs: number;
  readonly metrics?: Metrics;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  /** From now on every response asks the client to reconnect, and /readyz fails. */
  drain(): void;
  isDraining(): boolean;
}

const send = (reply: FastifyReply, { status, body, headers }: Answer, log: Log) => {
  reply.code(status);
  if (headers) reply.headers(headers);
  if (body === undefined) return reply.send();
  if (body instanceof Readable) {
    // A stream may outlast the start of a shutdown: a kept-alive connection would delay it.
    reply.header("connection", "close");
    // A HEAD request must not leave an unread stream behind.
    if (reply.request.method === "HEAD") body.destroy();
    body.once("error", (error) =>
      log.error({ request_id: reply.request.id, err: error }, "response stream failed"),
    );
    return reply.send(reply.request.method === "HEAD" ? undefined : body);
  }
  if (!reply.hasHeader("content-type")) reply.header("content-type", "application/json; charset=utf-8");
  return reply.send(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
};

const toProblem = (error: unknown, log: Log, requestId: string): Problem => {
  if (error instanceof Problem) return error;
  if (isDatabaseUnavailable(error)) {
    log.warn({ request_id: requestId, err: error }, "database unavailable");
    return new Problem(
      "unavailable",
      "The service can't reach its database right now: try again in a moment.",
      {
        "retry-after": "2",
      },
    );
  }
  log.error({ request_id: requestId, err: error }, "request failed");
  return new Problem(
    "internal",
    "Something went wrong on our side. We have logged it under this request id.",
  );
};

const noRoute = (app: FastifyInstance, url: string): Problem => {
  const methods = (["GET", "HEAD", "POST", "PUT", "DELETE"] as const).filter(
    (method) => app.findRoute({ method, url }) !== null,
  );
  if (methods.length === 0) return new Problem("not_found", "There is nothing at this address.");
  const allow = methods.join(", ");
  return new Problem("method_not_allowed", `This address takes ${allow}.`, { allow });
};

/** Of routes about one import; a customer's link or any other text is never taken for one. */
const importIdOf = ({ params }: FastifyRequest): string | undefined => {
  const { id } = (params ?? {}) as { id?: unknown };
  return typeof id === "string" && /^imp_[0-9a-z]{26}$/.test(id) ? id : undefined;
};

const noRouteLabel = "none";

const invalidAddress = () => new Problem("bad_request", "The address is not a valid one.");

/** Builds the HTTP server; it does not listen yet. */
export const createHttpServer = (routes: readonly Mounted[], options: HttpOptions): HttpServer => {
  const { log, metrics = noMetrics } = options;
  let draining = false;
  const app = fastify({
    logger: false, // the onResponse hook below logs one line per request
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 72_000, // longer than a load balancer's minute, so that the server never closes first
    return503OnClosing: false, // accepted requests are answered
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: maxHeaderSize, // no address is longer: an id of any length is answered like any other
    },
    http: {
      requireHostHeader: false, // Node's error response has no JSON body
      connectionsCheckingInterval: Math.min(30_000, options.requestTimeoutMs),
    },
    clientErrorHandler: answerBrokenRequest(log),
    frameworkErrors: (_, request, reply) => {
      void send(reply.headers(commonHeaders(request)), problemAnswer(invalidAddress(), request.id), log);
    },
  });
  const commonHeaders = (request: FastifyRequest) => ({
    "x-request-id": request.id,
    "cache-control": "no-store",
    ...(draining && { connection: "close" }),
  });
  app.decorateRequest("partnerId", null);
  app.decorateRequest("staffId", null);
  app.decorateRequest("traceId", undefined);
  // Routes read bodies themselves: after authentication, up to a limit of their own, and not at all where they take none.
  for (const method of app.supportedMethods)
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.setErrorHandler((error, request, reply) => {
    void send(reply, problemAnswer(toProblem(error, log, request.id), request.id), log);
  });
  app.setNotFoundHandler((request) => {
    throw noRoute(app, request.raw.url ?? "");
  });
  // Callback hooks: a promise per hook would slow down every request, and these hooks await nothing.
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(commonHeaders(request));
    // The router never looks at the first character: to it "*tools" is "/tools".
    done(request.raw.url?.startsWith("*") ? invalidAddress() : undefined);
  });
  app.addHook("onResponse", (request, reply, done) => {
    // The route's pattern, not the URL: URLs contain links and names.
    const route = request.is404 ? null : (request.routeOptions.url ?? null);
    const status = String(reply.statusCode);
    const labels = { method: request.method, route: route ?? noRouteLabel, status };
    metrics.observe("portage_http_request_duration_seconds", labels, reply.elapsedTime / 1_000);
    if (reply.statusCode === 429) metrics.count("portage_rate_limited_total", { route: labels.route });
    log.info(
      {
        request_id: request.id,
        trace_id: request.traceId,
        partner_id: request.partnerId,
        ...(request.staffId !== null && { staff_id: request.staffId }),
        import_id: importIdOf(request),
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "request",
    );
    done();
  });
  for (const { method, path, answer } of routes)
    app.route({
      method: method === "GET" ? ["GET", "HEAD"] : method,
      url: path,
      handler: async (request, reply) => {
        const { traceparent } = request.headers;
        const attributes = { "http.route": path, "portage.request_id": request.id };
        const importId = importIdOf(request);
        const traced = async (span: OpenSpan) => {
          request.traceId = traceFields().trace_id;
          try {
            const answered = await answer(request, reply);
            span.note(statusAttribute(answered.status));
            return () => answered;
          } catch (error) {
            const status = error instanceof Problem ? errorStatuses[error.code] : 500;
            // What a caller did wrong is no failure of ours.
            if (status >= 500) span.fail(codeOf(error));
            else span.note(statusAttribute(status));
            return () => {
              throw error;
            };
          }
        };
        const outcome = await withTrace(typeof traceparent === "string" ? traceparent : null, () =>
          inSpan(
            `${request.method} ${path}`,
            { ...attributes, ...(importId !== undefined && { "portage.import_id": importId }) },
            traced,
            spanKind.SERVER,
          ),
        );
        return send(reply, outcome(), log);
      },
    });
  // By default Node answers an unknown "Expect" with its own 417.
  app.server.on("checkExpectation", (request, response) => app.routing(request, response));
  app.server.on("connect", answerConnect(log));
  return { app, drain: () => void (draining = true), isDraining: () => draining };
};
