import { filledText } from "@portage/contract";
import { staffAreas, staffRoles } from "@portage/contract/operator";
import { z } from "zod";

/** From the least to the most that a person may do: each may do what those before it may. */
export const roles = staffRoles;
export type Role = (typeof roles)[number];

/** Parts of the operator API; a token may be limited to some. */
export const areas = staffAreas;
export type Area = (typeof areas)[number];

export const includesRole = (role: Role, needed: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(needed);

/** What both may do. */
export const lesserRole = (a: Role, b: Role): Role => (includesRole(a, b) ? b : a);

/** A person who operates this installation. */
export interface Staff {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
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
  readonly role: Role;
  readonly areas: readonly Area[] | null;
  /** The token that was shown; null: another way to sign in. */
  readonly tokenId: string | null;
}

export const maxTokenDays = 366;
export const usualTokenDays = 90;

export const newStaffSchema = z.object({
  name: filledText(200),
  email: z.email("must be an email address").max(254),
  role: z.enum(roles, { error: `must be one of ${roles.join(", ")}` }),
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

export type NewStaff = z.infer<typeof newStaffSchema>;
export type NewStaffToken = z.infer<typeof newStaffTokenSchema>;
