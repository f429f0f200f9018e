import {
  sessionSchema,
  signInMethods,
  staffSchema,
  staffTokenSchema,
  time,
} from "@portage/contract/operator";
import { z } from "zod";
import { findPartner } from "../../features/partners/index.ts";
import {
  accountRoles,
  findSessionById,
  findStaffToken,
  invitationHours,
  invitationUrl,
  invite,
  listSessions,
  revokeSessions,
  revokeStaffToken,
} from "../../features/staff/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import { Problem } from "../answer.ts";
import { sessionCookie } from "./console-session.ts";
import { knownStaff } from "./find.ts";
import { requireUnlimited } from "./gate.ts";
import { operatorRoute, type OperatorRoute } from "./operation.ts";
import { sessionJson, staffTokenJson } from "./represent.ts";

export interface SessionRoutesNeeds {
  readonly operatorUrl: string;
  readonly sealer: Sealer;
}

const shownSession = z.object({
  person: staffSchema.pick({ id: true, name: true, email: true }).extend({
    role: z.enum(accountRoles).describe("At most what the token allows."),
    partner: z.object({ id: z.string(), name: z.string() }).nullable().describe("Of the role `partner`."),
  }),
  signed_in_by: z.enum([...signInMethods, "token"]),
  expires_at: time,
  staff_id: z.string(),
  name: z.string(),
  role: z.enum(accountRoles),
  areas: staffTokenSchema.shape.areas,
  token: staffTokenSchema.nullable(),
});

/** Who is signed in, and which browsers are. */
export const sessionRoutes = (needs: SessionRoutesNeeds): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "showSession",
      method: "GET",
      path: "/session",
      area: "system",
      role: "viewer",
      partner: true,
      summary: "Show who you are",
      description: "The person, the role and the areas that this token or session gives, and until when.",
      answer: shownSession,
    },
    async ({ db, session }) => {
      const { tokenId, sessionId, partnerId } = session;
      const person = await knownStaff(db, session.staffId);
      const partner = partnerId === null ? undefined : await findPartner(db, partnerId);
      const token = tokenId === null ? undefined : await findStaffToken(db, tokenId);
      const browser = sessionId === null ? undefined : await findSessionById(db, sessionId);
      return {
        body: {
          person: {
            id: person.id,
            name: person.name,
            email: person.email,
            role: session.role,
            partner: partner ? { id: partner.id, name: partner.name } : null,
          },
          signed_in_by: browser?.signedInBy ?? "token",
          expires_at: browser?.expiresAt ?? token?.expiresAt,
          staff_id: session.staffId,
          name: session.name,
          role: session.role,
          areas: session.areas,
          token: token ? staffTokenJson(token) : null,
        },
        target: { kind: "staff", id: session.staffId },
      };
    },
  ),
  operatorRoute(
    {
      id: "signOut",
      method: "DELETE",
      path: "/session",
      area: "system",
      role: "viewer",
      partner: true,
      own: true,
      summary: "Sign out",
      description: "Ends this browser's session, or revokes the token that the call was made with.",
      answer: null,
    },
    async ({ db, session: { staffId, sessionId, tokenId } }) => {
      if (sessionId !== null) await revokeSessions(db, staffId, sessionId);
      if (tokenId !== null) await revokeStaffToken(db, tokenId);
      return {
        body: null,
        target: { kind: "staff", id: staffId },
        after: { session: sessionId, token: tokenId },
        headers: sessionCookie(needs.operatorUrl).clear,
      };
    },
  ),
  operatorRoute(
    {
      id: "listStaffSessions",
      method: "GET",
      path: "/staff/:id/sessions",
      area: "staff",
      role: "admin",
      summary: "List a person's sessions",
      description: "Browsers that the person signed in with in the last 30 days, newest first.",
      answer: z.object({ sessions: z.array(sessionSchema) }),
    },
    async ({ db, params }) => {
      const { id } = await knownStaff(db, params["id"] ?? "");
      return {
        body: { sessions: (await listSessions(db, id)).map(sessionJson) },
        target: { kind: "staff", id },
      };
    },
  ),
  operatorRoute(
    {
      id: "revokeStaffSessions",
      method: "POST",
      path: "/staff/:id/sessions/revoke",
      area: "staff",
      role: "admin",
      summary: "End a person's sessions",
      description: "All, or the one named; they stop working within 5 seconds. Safe to repeat.",
      body: z.object({ session_id: z.string().optional().describe("Only this one (sts_…).") }),
      answer: z.object({ revoked: z.int() }),
    },
    async ({ db, params, body }) => {
      const { id } = await knownStaff(db, params["id"] ?? "");
      const one = body.session_id;
      if (one !== undefined && (await findSessionById(db, one))?.staffId !== id)
        throw new Problem("not_found", "This person has no such session. Its id begins with sts_.");
      const done = { revoked: await revokeSessions(db, id, one) };
      return { body: done, target: { kind: "staff", id }, after: { ...done, session: one ?? "all" } };
    },
  ),
  operatorRoute(
    {
      id: "inviteStaff",
      method: "POST",
      path: "/staff/:id/invitation",
      area: "staff",
      role: "admin",
      summary: "Invite a person to choose a password",
      description:
        `\`url\` is shown this once: it works once, within ${invitationHours} hours, and replaces an earlier invitation. Until it is used, the ` +
        "person's present password works. A token that is limited to areas invites nobody.",
      answer: z.object({ url: z.string(), expires_at: time }),
      conflict: "The person is disabled.",
    },
    async ({ db, params, session }) => {
      requireUnlimited(session);
      const { id, disabledAt } = await knownStaff(db, params["id"] ?? "");
      if (disabledAt) throw new Problem("conflict", "This person is disabled.");
      const { token, expiresAt } = await invite(db, needs.sealer, id);
      return {
        body: { url: invitationUrl(needs.operatorUrl, token), expires_at: expiresAt },
        target: { kind: "staff", id },
        after: { expires_at: expiresAt },
      };
    },
  ),
];
