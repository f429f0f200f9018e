import type { FastifyRequest } from "fastify";
import { errorsByProperty } from "@portage/contract";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { May, Session } from "../../../features/links/index.ts";
import { type Answer, invalid, Problem } from "../../answer.ts";
import { readJsonObject, readStream } from "../../body.ts";
import { parseQuery } from "../../query.ts";
import type { Mounted } from "../../server.ts";
import type { AttemptLimit } from "../../../platform/attempt-limit.ts";
import type { SignInGuard } from "../../sign-in-guard.ts";
import type { AttemptKind, WizardRoute } from "./route.ts";
import { fromOwnPages } from "./same-origin.ts";
import { sameText, sameToken } from "./same-token.ts";
import { sessionCookies } from "./session-cookie.ts";

export interface GateNeeds {
  readonly findImport: (id: string) => Promise<ImportRecord | undefined>;
  readonly findSession: (importId: string, key: string) => Promise<Session | undefined>;
  readonly publicUrl: string;
  readonly guard: SignInGuard;
  /** Per import. */
  readonly attempts: Readonly<Record<AttemptKind, AttemptLimit>>;
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

interface Entered {
  readonly found: ImportRecord;
  readonly session: Session | null;
}

/** The link's token or the session key of a request; what it opens is not known yet. */
const credentialOf = ({ publicUrl }: GateNeeds, { headers }: FastifyRequest, importId: string) =>
  headers.authorization === undefined
    ? { cookie: sessionCookies(publicUrl).read(headers.cookie, importId) }
    : { bearer: bearerToken(headers.authorization) };

/** Opens the import of a request's link or session; undefined: there is none. */
const open = async (
  needs: GateNeeds,
  found: ImportRecord,
  { bearer, cookie }: { readonly bearer?: string | undefined; readonly cookie?: string | undefined },
): Promise<Entered | undefined> => {
  if (bearer !== undefined) return sameToken(bearer, found.linkToken) ? { found, session: null } : undefined;
  const session = cookie === undefined ? undefined : await needs.findSession(found.id, cookie);
  return session && { found, session };
};

/** Rejects a request with a cookie that the wizard's own pages did not send. */
const refuseForged = ({ publicUrl }: GateNeeds, { method, headers }: FastifyRequest, session: Session) => {
  const changes = method !== "GET" && method !== "HEAD";
  if (!fromOwnPages(headers, new URL(publicUrl).origin, changes))
    throw forbidden("This request did not come from the wizard's own pages.");
  const csrf = headers["x-portage-csrf"];
  if (changes && !(typeof csrf === "string" && sameText(csrf, session.csrf)))
    throw forbidden("The page is out of date. Load it again, then repeat what you did.");
};

/** Authenticates a request as the customer, by the link's token or by a session. No other code decides this. */
const enter = async (needs: GateNeeds, request: FastifyRequest, route: WizardRoute): Promise<Entered> => {
  const { guard } = needs;
  const { id = "" } = request.params as { id?: string };
  const credential = credentialOf(needs, request, id);
  const named = `${id} ${credential.bearer ?? credential.cookie ?? ""}`;
  guard.admit(request.ip, named);
  const found = await needs.findImport(id);
  const entered = found && (await open(needs, found, credential));
  if (!entered) {
    guard.failed(request.ip);
    throw found?.state.closed === null ? notLetIn() : importEnded();
  }
  guard.accepted(named);
  const closed = entered.found.state.closed !== null;
  if (closed && !route.evenClosed) throw importEnded();
  if (entered.session)
    try {
      refuseForged(needs, request, entered.session);
    } catch (error) {
      throw closed ? importEnded() : error;
    }
  request.partnerId = entered.found.partnerId;
  return entered;
};

/** Limits how often a customer makes us call others: an address that the customer types, the payment provider. */
const refuseTooMany = ({ attempts }: GateNeeds, kind: AttemptKind, importId: string) => {
  const seconds = attempts[kind].count(importId);
  if (seconds > 0)
    throw new Problem("rate_limited", `There were many attempts to ${kind}. Wait a minute, then try again.`, {
      "retry-after": String(seconds),
    });
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
  needs: GateNeeds,
  route: WizardRoute,
  request: FastifyRequest,
  { found, session }: Entered,
): Promise<Answer> => {
  const parsed = parseQuery(request.raw.url ?? "");
  if (parsed.kind === "repeated") return invalid({ [parsed.name]: ["must be given once"] });
  const params = request.params as Readonly<Record<string, string>>;
  const param = (name: string) => params[name] ?? "";
  const may = session?.may ?? "everything";
  refuseTheRest(may, route, param("side"));
  if (route.isAttempt) refuseTooMany(needs, route.isAttempt, found.id);
  const body = route.body?.safeParse((await readJsonObject(request.raw, route.maxBodyBytes)).object);
  if (body && !body.success) return invalid(errorsByProperty(body.error));
  return route.handle({
    import: found,
    session,
    may,
    param,
    query: parsed.query,
    body: body?.data,
    bytes: () => readStream(request.raw),
  });
};

/** Mounts the customer's routes under the import's address, each behind authentication. */
export const mountWizardRoutes = (routes: readonly WizardRoute[], needs: GateNeeds): readonly Mounted[] =>
  routes.map((route) => ({
    method: route.method,
    path: `/wizard/api/imports/:id${route.path}`,
    answer: async (request) => call(needs, route, request, await enter(needs, request, route)),
  }));
