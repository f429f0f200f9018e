import { filledText } from "@portage/contract";
import {
  type AccountRole,
  accountRoles,
  type signInMethods,
  staffAreas,
  staffRoles,
} from "@portage/contract/operator";
import { z } from "zod";

/** From the least to the most that a person may do: each may do what those before it may. */
export const roles = staffRoles;
export type Role = (typeof roles)[number];
export { type AccountRole, accountRoles };

/** Parts of the operator API; a token may be limited to some. */
export const areas = staffAreas;
export type Area = (typeof areas)[number];

export const includesRole = (role: AccountRole, needed: Role): boolean =>
  role !== "partner" && roles.indexOf(role) >= roles.indexOf(needed);

/** What both may do. */
export const lesserRole = (a: Role, b: Role): Role => (includesRole(a, b) ? b : a);

/** A person who operates this installation. */
export interface StaffMember {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: AccountRole;
  /** Of the role `partner`, and of no other. */
  readonly partnerId: string | null;
  /** For emergencies: its sign-ins have an action of their own in the audit log. */
  readonly breakGlass: boolean;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

export interface StaffToken {
  readonly id: string;
  readonly staffId: string;
  readonly label: string;
  readonly lastCharacters: string;
  /** At most; the person's own role may be less. */
  readonly role: Role;
  /** Null: every area. */
  readonly areas: readonly Area[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** Who calls, and what they may do now, however they signed in. */
export interface StaffSession {
  readonly staffId: string;
  readonly name: string;
  readonly role: AccountRole;
  /** The only partner that this session may read and change; null: not limited to one. */
  readonly partnerId: string | null;
  readonly areas: readonly Area[] | null;
  /** The token that was shown; null: a browser's session. */
  readonly tokenId: string | null;
  readonly sessionId: string | null;
}

/** How a person signed in with a browser. */
export type SignInMethod = (typeof signInMethods)[number];

/** A browser that a person signed in with. */
export interface BrowserSession {
  readonly id: string;
  readonly staffId: string;
  readonly signedInBy: SignInMethod;
  readonly address: string;
  readonly createdAt: Date;
  /** In any case. */
  readonly expiresAt: Date;
  /** Without a call. */
  readonly idleAt: Date;
  readonly revokedAt: Date | null;
}

export const maxTokenDays = 366;
export const usualTokenDays = 90;

export const newStaffSchema = z.object({
  name: filledText(200),
  email: z.email("must be an email address").max(254),
  role: z.enum(accountRoles, { error: `must be one of ${accountRoles.join(", ")}` }),
  partner_id: z
    .string()
    .nullable()
    .default(null)
    .describe("With the role `partner`: the only one that they see."),
  break_glass: z
    .boolean()
    .default(false)
    .describe("For emergencies: each sign-in is `breakGlassSignIn` in the audit log."),
});

export const newStaffTokenSchema = z.object({
  label: filledText(200),
  role: z.enum(roles, { error: `must be one of ${roles.join(", ")}` }).default("operator"),
  areas: z
    .array(z.enum(areas, { error: `must be among ${areas.join(", ")}` }))
    .min(1)
    .nullable()
    .default(null),
  days: z.int().min(1).max(maxTokenDays).default(usualTokenDays),
});

/** The role and the partner belong together. */
export const partnerProblem = ({
  role,
  partner_id,
}: Pick<NewStaff, "role" | "partner_id">): string | null => {
  if ((role === "partner") === (partner_id !== null)) return null;
  return role === "partner" ? "can't be blank with the role partner" : "needs the role partner";
};

export type NewStaff = z.infer<typeof newStaffSchema>;
export type NewStaffToken = z.infer<typeof newStaffTokenSchema>;
