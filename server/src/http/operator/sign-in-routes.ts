import type { FastifyRequest } from "fastify";
import { z } from "zod";
import {
  appendAudit,
  breakGlassSignIn,
  checkEnrolment,
  checkPasskeyEnrolment,
  findOpenInvitation,
  hasPasskeys,
  openStaffSession,
  passkeyRegistration,
  passkeySignIn,
  passwordSchema,
  signInLocally,
  signInWithPasskey,
  type SignInMethod,
  type StaffMember,
  totpUri,
} from "../../features/staff/index.ts";
import { createAttemptLimit } from "../../platform/attempt-limit.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { inOneTransaction } from "../../platform/one-transaction.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Secret } from "../../platform/secret.ts";
import { type Answer, ok, Problem } from "../answer.ts";
import type { SignInGuard } from "../sign-in-guard.ts";
import { sessionCookie } from "./console-session.ts";
import { InvalidInput } from "./invalid-input.ts";
import { findSuspension, refusedSignIn } from "./suspended-partner.ts";
import { visitorRoute, type VisitorRoute } from "./visitor.ts";

export interface SignInRoutesNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly operatorUrl: string;
  readonly guard: SignInGuard;
  /** The operator's identity provider; null: there is none. */
  readonly oidc: { readonly label: string; readonly start: string } | null;
}

/** Attempts per minute and account, right or wrong, in one process. */
const attemptsPerAccount = 10;

const wrongSignIn = () =>
  new Problem(
    "unauthorized",
    "The email address, the password or the code is wrong, or the code was used before.",
  );

const noInvitation = () =>
  new Problem("not_found", "This invitation does not exist, was used, or has expired: ask for a new one.");

/** Opens a session, with its entry in the audit log. */
export const openConsoleSession = async (
  db: Database,
  request: FastifyRequest,
  {
    person,
    signedInBy,
    log,
    action = "signIn",
    before = null,
  }: {
    readonly person: StaffMember;
    readonly signedInBy: SignInMethod;
    readonly log: Log;
    readonly action?: "signIn" | "enrol";
    /** If the sign-in changed the account: as it was. */
    readonly before?: StaffMember | null;
  },
): Promise<Secret> => {
  const { value, session } = await openStaffSession(db, {
    staffId: person.id,
    signedInBy,
    address: request.ip,
  });
  // An enrolment too: whoever has an invitation is signed in by it, without the envelope.
  const isEmergency = person.breakGlass;
  await appendAudit(db, {
    actor: { kind: "staff", staffId: person.id, tokenId: null, sessionId: session.id, role: person.role },
    action: isEmergency ? breakGlassSignIn : action,
    changes: true,
    target: { kind: "staff", id: person.id },
    reason: null,
    requestId: request.id,
    idempotencyKey: null,
    outcome: "done",
    before: before && { role: before.role },
    after: {
      signed_in_by: signedInBy,
      address: request.ip,
      role: person.role,
      ...(action === "enrol" && { enrolled: true }),
    },
  });
  if (isEmergency) log.warn({ request_id: request.id, staff_id: person.id }, "break-glass account signed in");
  request.staffId = person.id;
  return value;
};

/** An attempt that failed, in the audit log: `what` says why, which its sender must not learn. */
export const noteFailedSignIn = (
  db: Database,
  request: FastifyRequest,
  { person, outcome, what }: { person: { readonly id: string } | null; outcome: string; what: object },
): Promise<void> =>
  appendAudit(db, {
    actor: { kind: "stranger" },
    action: "signIn",
    changes: true,
    target: person && { kind: "staff", id: person.id },
    reason: null,
    requestId: request.id,
    idempotencyKey: null,
    outcome,
    after: { ...what, address: request.ip },
  });

/** Refuses people of a suspended partner, with the reason: only who has proven who they are may learn it. */
const requireOpenPartner = async (
  db: Database,
  request: FastifyRequest,
  { person, signedInBy }: { readonly person: StaffMember; readonly signedInBy: SignInMethod },
): Promise<void> => {
  const suspension = await findSuspension(db, person);
  if (!suspension) return;
  const what = { signed_in_by: signedInBy, wrong: "partner suspended" };
  await noteFailedSignIn(db, request, { person, outcome: suspension.code, what });
  throw suspension;
};

/** As browsers write it; the library that checks it knows its parts. */
const ceremony = z.looseObject({});
const ceremonyResponse = z.looseObject({ id: z.string().max(2_000) });

const shortText = (longest: number) => z.string().max(longest);

/** How a person signs in to the console, and chooses a password. */
export const signInRoutes = (needs: SignInRoutesNeeds): readonly VisitorRoute[] => {
  const { db, sealer, log, guard, operatorUrl } = needs;
  const attempts = createAttemptLimit(attemptsPerAccount);
  const cookie = sessionCookie(operatorUrl);
  const passkeys = hasPasskeys(operatorUrl);
  const signedIn = (value: Secret): Answer => ({ status: 204, headers: cookie.set(value) });
  const passkeyRoutes = [
    visitorRoute(
      {
        id: "beginPasskey",
        method: "POST",
        path: "/sign-in/passkey/options",
        summary: "Begin to sign in with a passkey",
        description:
          "A challenge for the browser, which lasts five minutes. At an IP address there are no passkeys.",
        body: z.object({}),
        answer: z.object({ options: ceremony.describe("PublicKeyCredentialRequestOptionsJSON.") }),
      },
      async () => ok({ options: await passkeySignIn(needs) }),
    ),
    visitorRoute(
      {
        id: "signInWithPasskey",
        method: "POST",
        path: "/sign-in/passkey",
        summary: "Sign in with a passkey",
        description: "Sets the cookie of a session. Each challenge is answered once.",
        body: z.object({ response: ceremonyResponse.describe("AuthenticationResponseJSON.") }),
        answer: null,
        errors: { 401: "The passkey is unknown, or its answer is not right.", 403: refusedSignIn },
      },
      async ({ request, body }) => {
        guard.admit(request.ip, "");
        const checked = await signInWithPasskey(needs, body.response);
        const { person } = checked;
        if (checked.kind === "wrong") {
          await noteFailedSignIn(db, request, {
            person,
            outcome: "unauthorized",
            what: { signed_in_by: "passkey", wrong: checked.part },
          });
          guard.failed(request.ip);
          throw new Problem(
            "unauthorized",
            "This passkey is unknown here, or its answer came too late: try again.",
          );
        }
        await requireOpenPartner(db, request, { person: checked.person, signedInBy: "passkey" });
        return signedIn(
          await inOneTransaction(db, (within) =>
            openConsoleSession(within, request, { person: checked.person, signedInBy: "passkey", log }),
          ),
        );
      },
    ),
  ];
  return [
    visitorRoute(
      {
        id: "showSignIn",
        method: "GET",
        path: "/sign-in",
        summary: "Show how to sign in",
        description: "The ways that this installation offers.",
        answer: z.object({
          local: z.boolean().describe("Email address, password and code."),
          passkeys: z.boolean().describe("Not at an IP address."),
          oidc: z
            .object({ label: z.string(), start: z.string().describe("The page that leads to the provider.") })
            .nullable(),
        }),
      },
      async () => ok({ local: true, passkeys, oidc: needs.oidc }),
    ),
    visitorRoute(
      {
        id: "signInLocally",
        method: "POST",
        path: "/sign-in/local",
        summary: "Sign in with password and code",
        description: `Sets the cookie of a session. At most ${attemptsPerAccount} attempts a minute and account.`,
        body: z.object({ email: shortText(254), password: shortText(1_000), code: shortText(20) }),
        answer: null,
        errors: { 401: "Something is wrong: the answer does not say what.", 403: refusedSignIn },
      },
      async ({ request, body }) => {
        guard.admit(request.ip, "");
        const seconds = attempts.count(body.email.toLowerCase());
        if (seconds > 0)
          throw new Problem("rate_limited", "There were many attempts to sign in to this account.", {
            "retry-after": String(seconds),
          });
        const given = { email: body.email, password: new Secret(body.password), code: body.code.trim() };
        const checked = await signInLocally({ db, sealer }, given);
        if (checked.kind === "wrong") {
          const { person, part } = checked;
          await noteFailedSignIn(db, request, {
            person,
            outcome: "unauthorized",
            what: { signed_in_by: "local", wrong: part },
          });
          guard.failed(request.ip);
          throw wrongSignIn();
        }
        const { person } = checked;
        await requireOpenPartner(db, request, { person, signedInBy: "local" });
        return signedIn(
          await inOneTransaction(db, (within) =>
            openConsoleSession(within, request, { person, signedInBy: "local", log }),
          ),
        );
      },
    ),
    ...(passkeys ? passkeyRoutes : []),
    visitorRoute(
      {
        id: "showEnrolment",
        method: "POST",
        path: "/enrolment",
        summary: "Open an invitation",
        description:
          "What the person needs to set up: the secret of an authenticator app, or the options of a passkey. Safe to repeat.",
        body: z.object({ token: shortText(200) }),
        answer: z.object({
          name: z.string(),
          email: z.string(),
          totp: z.object({ secret: z.string(), uri: z.string().describe("For a QR code.") }),
          passkey: ceremony
            .nullable()
            .describe("PublicKeyCredentialCreationOptionsJSON. Null: not at an IP address."),
        }),
        errors: { 403: refusedSignIn, 404: "There is no such invitation, or it was used or has expired." },
      },
      async ({ request, body }) => {
        guard.admit(request.ip, "");
        const found = await findOpenInvitation(db, sealer, new Secret(body.token));
        if (!found) {
          guard.failed(request.ip);
          throw noInvitation();
        }
        const { person, totpSecret } = found;
        const suspension = await findSuspension(db, person);
        if (suspension) throw suspension;
        const totp = { secret: totpSecret, uri: totpUri(totpSecret, person.email) };
        const passkey = passkeys ? await passkeyRegistration(needs, person) : null;
        return ok({ name: person.name, email: person.email, totp, passkey });
      },
    ),
    visitorRoute(
      {
        id: "completeEnrolment",
        method: "POST",
        path: "/enrolment/complete",
        summary: "Choose a password, or a passkey",
        description:
          "A password with a code of the authenticator app, or a passkey. Uses the invitation up, replaces every earlier password and " +
          "passkey, ends the person's other sessions, and sets the cookie of a new one.",
        body: z.object({
          token: shortText(200),
          password: passwordSchema.optional(),
          code: shortText(20).optional(),
          passkey: ceremonyResponse.optional().describe("RegistrationResponseJSON, in place of a password."),
        }),
        answer: null,
        errors: { 403: refusedSignIn, 404: "There is no such invitation, or it was used or has expired." },
      },
      async ({ request, body }) => {
        guard.admit(request.ip, "");
        const { passkey: response, password, code } = body;
        const token = new Secret(body.token);
        if (!response && (password === undefined || code === undefined))
          throw new InvalidInput({ password: ["needs a code"], code: ["needs a password"] });
        const checked = response
          ? await checkPasskeyEnrolment(needs, { token, response })
          : await checkEnrolment(needs, {
              token,
              password: new Secret(password ?? ""),
              code: (code ?? "").trim(),
            });
        if (checked.kind === "wrong_passkey")
          throw new InvalidInput({ passkey: ["is not right: make it again"] });
        if (checked.kind === "wrong_code")
          throw new InvalidInput({ code: ["is wrong: enter the one that the app shows now"] });
        const signedInBy = response ? "passkey" : "local";
        const invited = await findOpenInvitation(db, sealer, token);
        // The invitation stays open.
        if (invited) await requireOpenPartner(db, request, { person: invited.person, signedInBy });
        const value =
          checked.kind === "missing"
            ? undefined
            : await inOneTransaction(db, async (within) => {
                const person = await checked.save(within);
                return (
                  person && openConsoleSession(within, request, { person, signedInBy, log, action: "enrol" })
                );
              });
        if (!value) {
          guard.failed(request.ip);
          throw noInvitation();
        }
        return signedIn(value);
      },
    ),
  ];
};
