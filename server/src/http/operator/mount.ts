import { isStorableText } from "@portage/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  appendAudit,
  type AuditTarget,
  findByIdempotencyKey,
  isRepeatedKey,
  type StaffSession,
} from "../../features/staff/index.ts";
import { type Database, isDatabaseUnavailable } from "../../platform/db.ts";
import { inOneTransaction } from "../../platform/one-transaction.ts";
import { type Answer, invalid, ok, Problem } from "../answer.ts";
import { hasBody, readJsonObject } from "../body.ts";
import { idempotencyKey } from "../idempotency-key.ts";
import { parseQuery } from "../query.ts";
import { limit, type TakeTurn } from "../rate-limit.ts";
import type { Mounted } from "../server.ts";
import { requireOwnPages } from "./console-session.ts";
import { requireOwn, requireRights, type FindSession, staffSignInRequired } from "./gate.ts";
import { InvalidInput } from "./invalid-input.ts";
import {
  type AuditedCall,
  type CallOutcome,
  isChange,
  type OperatorCall,
  type OperatorOperation,
  type OperatorRoute,
} from "./operation.ts";

export interface OperatorMountNeeds {
  readonly db: Database;
  readonly findSession: FindSession;
  readonly takeTurn: TakeTurn;
  /** Where browsers reach the operator API. */
  readonly operatorUrl: string;
}

/** Nothing here is a page: no site may frame, sniff or read it. */
export const securityHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const longestReason = 500;
const reasonRule = `must be a text of at most ${longestReason} characters`;

export const read = <T extends z.ZodType>(schema: T, given: object): z.output<T> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const errors: Record<string, string[]> = {};
  for (const { path, message, code, ...issue } of parsed.error.issues) {
    const names =
      code === "unrecognized_keys" ? (issue as { keys: string[] }).keys : [path.join(".") || "base"];
    for (const name of names)
      (errors[name] ??= []).push(code === "unrecognized_keys" ? "is not known" : message);
  }
  throw new InvalidInput(errors);
};

/** The body of a change, and why it is made. */
export const readChange = (
  operation: OperatorOperation,
  { reason: given = null, ...rest }: { readonly reason?: unknown; readonly [field: string]: unknown },
): { readonly reason: string | null; readonly body: unknown } => {
  const reason = given === "" ? null : given;
  if (
    reason !== null &&
    (typeof reason !== "string" || reason.length > longestReason || !isStorableText(reason))
  )
    throw new InvalidInput({ reason: [reasonRule] });
  return { reason, body: read((operation.body ?? z.object({})).strict(), rest) };
};

const readQuery = ({ operation }: OperatorRoute, target: string): unknown => {
  const parsed = parseQuery(target);
  if (parsed.kind === "repeated") throw new InvalidInput({ [parsed.name]: ["must be given once"] });
  const given = Object.fromEntries([...parsed.query].map(([name, { text }]) => [name, text]));
  return read((operation.query ?? z.object({})).strict(), given);
};

/** A reason as a header: percent-encoded, if it has other characters than a header's. */
const headerReason = (header: string | string[] | undefined): string | null => {
  if (header === undefined) return null;
  const text = String(header);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const readBody = async ({ operation }: OperatorRoute, request: FastifyRequest) => {
  const { object } = hasBody(request.raw)
    ? await readJsonObject(request.raw, operation.maxBodyBytes)
    : { object: {} };
  const { reason = headerReason(request.headers["x-reason"]), ...rest } = object as { reason?: unknown };
  return readChange(operation, { reason, ...rest });
};

const targetOf = (
  { operation }: OperatorRoute,
  params: Readonly<Record<string, string>>,
): AuditTarget | null => {
  const { id } = params;
  if (id === undefined || !isStorableText(id)) return null;
  const [, first = ""] = operation.path.split("/");
  const kinds: Readonly<Record<string, AuditTarget["kind"]>> = {
    imports: "import",
    partners: "partner",
    tokens: "token",
    tools: "tool",
    staff: "staff",
    "staff-tokens": "staff_token",
  };
  const kind = kinds[first];
  return kind ? { kind, id: id.slice(0, 100) } : null;
};

const codeOf = (error: unknown) =>
  error instanceof InvalidInput ? "invalid" : error instanceof Problem ? error.code : "internal";

const repeated = (done: { readonly requestId: string; readonly at: Date } | undefined) =>
  new Problem(
    "conflict",
    done
      ? `This change was made already, at ${done.at.toISOString()} by request ${done.requestId}: nothing was done again.`
      : "This change was made already, at the same time: nothing was done again.",
  );

/** Makes the call and appends it to the audit log: a change in the change's own transaction. */
const perform = async (
  route: OperatorRoute,
  { db, operatorUrl }: OperatorMountNeeds,
  request: FastifyRequest,
  session: StaffSession,
): Promise<CallOutcome> => {
  const { operation } = route;
  const changes = isChange(operation);
  const params = request.params as Readonly<Record<string, string>>;
  let reason: string | null = null;
  let key: string | null = null;
  const append = (on: Database, outcome: string, done?: AuditedCall, idempotent = key) =>
    appendAudit(on, {
      actor: { kind: "staff", ...session },
      action: operation.id,
      changes,
      target: done?.target ?? targetOf(route, params),
      reason,
      requestId: request.id,
      idempotencyKey: idempotent,
      outcome,
      before: done?.before ?? null,
      after: done?.after ?? null,
    });
  const make = async (call: OperatorCall, prepared?: unknown) => {
    const done = await route.handle(call, prepared);
    await append(call.db, "done", done);
    // The key is of the call as a whole.
    for (const part of done.each ?? []) await append(call.db, "done", part, null);
    return done;
  };
  try {
    if (changes && session.sessionId !== null) requireOwnPages(request, operatorUrl);
    requireRights(session, operation);
    if (session.partnerId !== null) await requireOwn(db, session.partnerId, operation, params);
    const query = readQuery(route, request.raw.url ?? "");
    if (operation.method === "GET") {
      reason = headerReason(request.headers["x-reason"])?.slice(0, longestReason) ?? null;
      return await make({ session, params, query, body: {}, db });
    }
    const given = await readBody(route, request);
    ({ reason } = given);
    if (!changes) return await make({ session, params, query, body: given.body, db });
    key = idempotencyKey(request.headers["idempotency-key"]?.toString()) ?? null;
    const earlier = key === null ? undefined : await findByIdempotencyKey(db, session.staffId, key);
    if (earlier) throw repeated(earlier);
    const call = { session, params, query, body: given.body, db };
    const prepared = await route.prepare?.(call);
    return await inOneTransaction(db, (within) => make({ ...call, db: within }, prepared));
  } catch (caught) {
    const error = isRepeatedKey(caught) ? repeated(undefined) : caught;
    // Without the database there is no log either: the answer is a 503.
    if (!isDatabaseUnavailable(error)) await append(db, codeOf(error));
    throw error;
  }
};

/** Mounts the operator's routes, each behind authentication, the rate limit, its role, and the audit log. */
export const mountOperatorRoutes = (
  prefix: string,
  routes: readonly OperatorRoute[],
  needs: OperatorMountNeeds,
): readonly Mounted[] =>
  routes.map((route) => ({
    method: route.operation.method,
    path: `${prefix}${route.operation.path}`,
    answer: async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
      reply.headers(securityHeaders);
      const session = await needs.findSession(request);
      if (!session) throw staffSignInRequired();
      request.staffId = session.staffId;
      reply.headers(await limit(needs.takeTurn, session.staffId));
      try {
        const { body, headers = {} } = await perform(route, needs, request, session);
        return route.operation.answer ? ok(body, headers) : { status: 204, headers };
      } catch (error) {
        if (error instanceof InvalidInput) return invalid(error.errors);
        throw error;
      }
    },
  }));
