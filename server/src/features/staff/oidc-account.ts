import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import { deleteCredentials } from "./delete-credentials.ts";
import type { OidcIdentity } from "./oidc.ts";
import type { StaffMember } from "./staff.ts";
import {
  findByEmail,
  findByOidc,
  insertOidcStaff,
  linkOidc,
  revokeStaffTokens,
  setNameAndRole,
} from "./store-oidc.ts";
import { revokeSessions } from "./store-sessions.ts";

export type OidcAccount =
  | { readonly kind: "signed_in"; readonly person: StaffMember; readonly before: StaffMember | null }
  | { readonly kind: "no_role"; readonly person: StaffMember | null }
  | { readonly kind: "disabled"; readonly person: StaffMember }
  /** Another account has the address, and nothing proves that it is the same person. */
  | { readonly kind: "email_taken"; readonly person: StaffMember };

const withRole = async (db: Database, before: StaffMember, identity: OidcIdentity): Promise<OidcAccount> => {
  if (before.disabledAt) return { kind: "disabled", person: before };
  if (identity.role === null) {
    // Who lost the role must not go on with what was opened before, nor sign in here in another way.
    await deleteCredentials(db, before.id);
    await revokeSessions(db, before.id);
    await revokeStaffTokens(db, before.id);
    return { kind: "no_role", person: before };
  }
  const person = await setNameAndRole(db, before.id, { name: identity.name, role: identity.role });
  return { kind: "signed_in", person, before };
};

/**
 * The account of an identity, with the role that the provider says now. The first sign-in makes it, or links an account
 * that has the same address, if the provider vouches for the address. Linking deletes what the person signed in with here,
 * and so does the loss of the role; a later invitation gives a new way. Call it in a transaction.
 */
export const openOidcAccount = async (db: Database, identity: OidcIdentity): Promise<OidcAccount> => {
  const known = await findByOidc(db, identity.issuer, identity.subject);
  if (known) return withRole(db, known, identity);
  if (identity.role === null) return { kind: "no_role", person: null };
  const person = await insertOidcStaff(db, newId("stf"), { ...identity, role: identity.role });
  if (person) return { kind: "signed_in", person, before: null };
  // Made by another sign-in at the same time, or the address is another account's.
  const made = await findByOidc(db, identity.issuer, identity.subject);
  if (made) return withRole(db, made, identity);
  const same = await findByEmail(db, identity.email);
  if (!same) throw new Error("The account was neither made nor found.");
  if (same.disabledAt) return { kind: "disabled", person: same };
  const isTheirs = identity.emailVerified && same.role !== "partner" && !same.breakGlass;
  if (!isTheirs || !(await linkOidc(db, same.id, identity))) return { kind: "email_taken", person: same };
  // The provider decides from now on: what the person chose here would outlive the role.
  await deleteCredentials(db, same.id);
  return withRole(db, same, identity);
};
