import {
  auditSchema,
  flag,
  next,
  page,
  queryTime,
  staffSchema,
  staffTokenSchema,
} from "@portage/contract/operator";
import { z } from "zod";
import {
  insertStaff,
  issueStaffToken,
  listStaff,
  listStaffAudit,
  listStaffTokens,
  newStaffSchema,
  newStaffTokenSchema,
  partnerProblem,
  revokeStaffToken,
  roles,
  setStaffDisabled,
  setStaffRole,
  type StaffMember,
} from "../../features/staff/index.ts";
import { findPartner } from "../../features/partners/index.ts";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import { Problem } from "../answer.ts";
import { heldStaff, knownStaff } from "./find.ts";
import { requireUnlimited } from "./gate.ts";
import { InvalidInput } from "./invalid-input.ts";
import { sessionRoutes, type SessionRoutesNeeds } from "./session-routes.ts";
import { type OperatorOperation, operatorRoute, type OperatorRoute } from "./operation.ts";
import { pageOf } from "../../platform/page-of.ts";
import { auditJson, staffJson, staffTokenJson } from "./represent.ts";

const aboutStaff = (
  {
    gives = false,
    ...operation
  }: Omit<OperatorOperation, "area" | "role" | "answer"> & {
    /** It gives a sign-in or a role. */
    readonly gives?: boolean;
  },
  change: (db: Database, before: StaffMember, role: StaffMember["role"]) => Promise<StaffMember | undefined>,
  body?: OperatorOperation["body"],
): OperatorRoute =>
  operatorRoute(
    { ...operation, area: "staff", role: "admin", answer: staffSchema, ...(body && { body }) },
    async ({ db, params, body: given, session }) => {
      if (gives) requireUnlimited(session);
      const before = await heldStaff(db, params["id"] ?? "");
      // The last admin would lock everyone out but those with the database.
      if (before.id === session.staffId)
        throw new Problem("conflict", "You can't change your own account: another admin has to.");
      // Its bound would have to change with it: a disabled account and a new one say the same, and the log stays clear.
      if (operation.id === "setStaffRole" && before.role === "partner")
        throw new Problem("conflict", "A partner's person keeps that role: add another account.");
      const after = (await change(db, before, (given as { role: StaffMember["role"] }).role)) ?? before;
      return {
        body: staffJson(after),
        target: { kind: "staff", id: after.id },
        before: staffJson(before),
        after: staffJson(after),
      };
    },
  );

const ownAccount = "It is your own account.";

export const staffRoutes = (needs: SessionRoutesNeeds): readonly OperatorRoute[] => [
  ...sessionRoutes(needs),
  operatorRoute(
    {
      id: "listAudit",
      method: "GET",
      path: "/audit",
      area: "audit",
      role: "operator",
      summary: "List what the staff did",
      description:
        "Every call of this API, every change by a command on the database, and what partners change with API tokens, newest first. " +
        "Go on with `before` = `next`.",
      query: z.object({
        staff: z.string().optional().describe("The person's id."),
        action: z.string().optional().describe("The operation's id, such as `eraseImport`."),
        target: z.string().optional().describe("The id of an import, a partner, …"),
        changes: flag.optional().describe("Only changes, or only reads."),
        since: queryTime.optional(),
        until: queryTime.optional(),
        before: z
          .string()
          .regex(/^\d{1,15}$/, "must be a number")
          .transform(Number)
          .optional()
          .describe("The last `seq` of the page before."),
        ...page,
      }),
      answer: z.object({ entries: z.array(auditSchema), next: next("before") }),
    },
    async ({ db, query: { staff, target, ...query } }) => {
      const found = await listStaffAudit(db, {
        ...query,
        staffId: staff,
        targetId: target,
        limit: query.limit + 1,
      });
      const { rows, next: goOn } = pageOf(found, query.limit, ({ seq }) => String(seq));
      return { body: { entries: rows.map(auditJson), next: goOn } };
    },
  ),
  operatorRoute(
    {
      id: "listStaff",
      method: "GET",
      path: "/staff",
      area: "staff",
      role: "admin",
      summary: "List the staff",
      description: "Oldest first, disabled people included. Go on with `after` = `next`.",
      query: z.object({ after: z.string().optional(), ...page }),
      answer: z.object({ staff: z.array(staffSchema), next: next("after") }),
    },
    async ({ db, query: { after, limit } }) => {
      const found = await listStaff(db, { after, limit: limit + 1 });
      const { rows, next: goOn } = pageOf(found, limit, ({ id }) => id);
      return { body: { staff: rows.map(staffJson), next: goOn } };
    },
  ),
  operatorRoute(
    {
      id: "showStaff",
      method: "GET",
      path: "/staff/:id",
      area: "staff",
      role: "admin",
      summary: "Show a person",
      description: "With the role, and whether the person is disabled.",
      answer: staffSchema,
    },
    async ({ db, params }) => {
      const person = await knownStaff(db, params["id"] ?? "");
      return { body: staffJson(person), target: { kind: "staff", id: person.id } };
    },
  ),
  operatorRoute(
    {
      id: "addStaff",
      method: "POST",
      path: "/staff",
      area: "staff",
      role: "admin",
      summary: "Add a person",
      description:
        "A viewer reads, an operator also helps customers, an admin also decides on partners, staff and erasure. A person of a " +
        "partner sees that partner alone, and only what is marked so.",
      body: newStaffSchema,
      answer: staffSchema,
      conflict: "Another person has this email address.",
    },
    async ({ db, body }) => {
      const problem = partnerProblem(body);
      if (problem !== null) throw new InvalidInput({ partner_id: [problem] });
      if (body.partner_id !== null && !(await findPartner(db, body.partner_id)))
        throw new InvalidInput({ partner_id: ["is no partner's id"] });
      const added = await insertStaff(db, newId("stf"), body);
      if (!added) throw new Problem("conflict", "Another person has this email address.");
      return { body: staffJson(added), target: { kind: "staff", id: added.id }, after: staffJson(added) };
    },
  ),
  aboutStaff(
    {
      id: "disableStaff",
      method: "POST",
      path: "/staff/:id/disable",
      summary: "Disable a person",
      description: "All their tokens and sessions stop working within 5 seconds. Safe to repeat.",
      conflict: ownAccount,
    },
    (db, { id }) => setStaffDisabled(db, id, true),
  ),
  aboutStaff(
    {
      id: "enableStaff",
      method: "POST",
      path: "/staff/:id/enable",
      summary: "Enable a person again",
      gives: true,
      description:
        "Their tokens work again, unless revoked or expired; browsers sign in anew. A token that is limited to areas enables nobody. " +
        "Safe to repeat.",
      conflict: ownAccount,
    },
    (db, { id }) => setStaffDisabled(db, id, false),
  ),
  aboutStaff(
    {
      id: "setStaffRole",
      method: "PUT",
      path: "/staff/:id/role",
      summary: "Change a person's role",
      gives: true,
      description:
        "Takes effect within 5 seconds, also on tokens that were issued for more. A token that is limited to areas changes no role.",
      conflict: `${ownAccount} Or a partner's person.`,
    },
    (db, { id }, role) => setStaffRole(db, id, role),
    z.object({ role: z.enum(roles, { error: `must be one of ${roles.join(", ")}` }) }),
  ),
  operatorRoute(
    {
      id: "listStaffTokens",
      method: "GET",
      path: "/staff/:id/tokens",
      area: "staff",
      role: "admin",
      summary: "List a person's tokens",
      description: "Oldest first, without their values.",
      answer: z.object({ tokens: z.array(staffTokenSchema) }),
    },
    async ({ db, params }) => {
      const { id } = await knownStaff(db, params["id"] ?? "");
      return {
        body: { tokens: (await listStaffTokens(db, id)).map(staffTokenJson) },
        target: { kind: "staff", id },
      };
    },
  ),
  operatorRoute(
    {
      id: "issueStaffToken",
      method: "POST",
      path: "/staff/:id/tokens",
      area: "staff",
      role: "admin",
      summary: "Issue a staff token",
      description:
        "`token` is shown this once. It expires after `days`, does at most what `role` and the person's own role allow, and only " +
        "in the `areas` named. A token that is limited to areas issues none. Send an Idempotency-Key, so that a repeat issues no second one.",
      body: newStaffTokenSchema,
      answer: staffTokenSchema.extend({ token: z.string() }),
      conflict: "The person is disabled, or a partner's.",
    },
    async ({ db, params, body, session }) => {
      requireUnlimited(session);
      const person = await knownStaff(db, params["id"] ?? "");
      if (person.disabledAt) throw new Problem("conflict", "This person is disabled.");
      if (person.role === "partner")
        throw new Problem(
          "conflict",
          "People of partners have no staff tokens: issue one for the partner API.",
        );
      const { token, record } = await issueStaffToken(db, person.id, body);
      return {
        body: { ...staffTokenJson(record), token: token.reveal() },
        target: { kind: "staff", id: person.id },
        after: staffTokenJson(record),
      };
    },
  ),
  operatorRoute(
    {
      id: "revokeStaffToken",
      method: "POST",
      path: "/staff-tokens/:id/revoke",
      area: "staff",
      role: "admin",
      summary: "Revoke a staff token",
      description: "By its id (stk_…). It stops working within 5 seconds. Safe to repeat.",
      answer: staffTokenSchema,
    },
    async ({ db, params }) => {
      const { id = "" } = params;
      const revoked = await revokeStaffToken(db, id);
      if (!revoked) throw new Problem("not_found", "There is no such token. Its id begins with stk_.");
      return {
        body: staffTokenJson(revoked),
        target: { kind: "staff_token", id },
        after: staffTokenJson(revoked),
      };
    },
  ),
];
