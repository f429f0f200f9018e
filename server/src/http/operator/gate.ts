import type { FastifyRequest } from "fastify";
import { findPartnerId } from "../../features/imports/index.ts";
import { includesRole, type StaffSession } from "../../features/staff/index.ts";
import type { Database } from "../../platform/db.ts";
import { Problem } from "../answer.ts";
import { importNotFound, partnerNotFound } from "./find.ts";
import type { SignInGuard } from "../sign-in-guard.ts";
import type { OperatorOperation } from "./operation.ts";

export const staffSignInRequired = () =>
  new Problem(
    "unauthorized",
    "Sign in to the console, or send a staff token: Authorization: Bearer ptg_staff_… This one is missing, wrong, expired or revoked.",
    { "www-authenticate": 'Bearer realm="Portage operator API"' },
  );

/** Turns what a request carries into a session. Another way to sign in is another function of this type. */
export type FindSession = (request: FastifyRequest) => Promise<StaffSession | undefined>;

const bearer = (header: string | undefined): string =>
  /^bearer +([A-Za-z0-9_]+) *$/i.exec(header ?? "")?.[1] ?? "";

/** By what the request carries: a token first, as a program may run beside a browser. */
export const eitherSession =
  (byToken: FindSession, byCookie: FindSession): FindSession =>
  (request) =>
    request.headers.authorization === undefined ? byCookie(request) : byToken(request);

/** By a staff token. An address that tries many wrong ones has to wait. */
export const tokenSession =
  (guard: SignInGuard, lookUp: (token: string) => Promise<StaffSession | undefined>): FindSession =>
  async (request) => {
    const token = bearer(request.headers.authorization);
    guard.admit(request.ip, token);
    const session = await lookUp(token);
    if (session) guard.accepted(token);
    else guard.failed(request.ip);
    return session;
  };

/** Throws unless the session may make this call. */
export const requireRights = ({ role, areas }: StaffSession, operation: OperatorOperation): void => {
  if (role === "partner") {
    if (operation.partner === true) return;
    throw new Problem("forbidden", "This is not open to people of partners.");
  }
  if (!includesRole(role, operation.role))
    throw new Problem("forbidden", `This needs the role ${operation.role}; yours is ${role}.`);
  if (areas !== null && !areas.includes(operation.area))
    throw new Problem("forbidden", `This token is limited to ${areas.join(", ")}: not ${operation.area}.`);
};

/** Whoever is limited to areas hands out no sign-in and no role: it could do more, and outlive the one that it came from. */
export const requireUnlimited = ({ areas }: StaffSession): void => {
  if (areas !== null)
    throw new Problem(
      "forbidden",
      `This token is limited to ${areas.join(", ")}: it gives nobody a sign-in or a role.`,
    );
};

/**
 * Throws unless what the path names is this partner's. Another's does not exist for its people, so that no answer says that it does.
 * An operation without an id restricts what it reads by `session.partnerId` itself.
 */
export const requireOwn = async (
  db: Database,
  partnerId: string,
  { path }: OperatorOperation,
  { id = "" }: Readonly<Record<string, string>>,
): Promise<void> => {
  if (!path.includes(":")) return;
  if (path.startsWith("/partners/:id")) {
    if (id !== partnerId) throw partnerNotFound();
  } else if (path.startsWith("/imports/:id")) {
    if ((await findPartnerId(db, id)) !== partnerId) throw importNotFound();
  } else throw new Error(`${path} is open to partners, but nothing says whose it is.`);
};
