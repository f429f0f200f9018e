import { hashOf, newApiToken } from "../../platform/api-tokens.ts";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Secret } from "../../platform/secret.ts";
import { deleteCredentials } from "./delete-credentials.ts";
import { hashPassword, isPassword } from "./password.ts";
import type { StaffMember } from "./staff.ts";
import {
  findInvitation,
  findLocalAccount,
  type OpenInvitation,
  saveInvitation,
  savePassword,
  spendTotpStep,
  takeInvitation,
} from "./store-passwords.ts";
import { revokeSessions } from "./store-sessions.ts";
import { findTotpStep, newTotpSecret } from "./totp.ts";

export interface LocalSignInNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly now?: () => number;
}

export type SignedInLocally =
  | { readonly kind: "right"; readonly person: StaffMember }
  /** For the audit log alone: a caller must not learn which part was wrong. */
  | { readonly kind: "wrong"; readonly person: StaffMember | null; readonly part: string };

/** For an unknown address: the same work, and no code is right by luck. */
const unknownSecret = newTotpSecret();

/** Checks all three parts, whichever is wrong, in the same time. A code is accepted once. */
export const signInLocally = async (
  { db, sealer, now = Date.now }: LocalSignInNeeds,
  given: { readonly email: string; readonly password: Secret; readonly code: string },
): Promise<SignedInLocally> => {
  // Before the password, which takes a while.
  const shownAt = now();
  const account = await findLocalAccount(db, sealer, given.email);
  const isRight = await isPassword(given.password, account?.hash);
  const step = findTotpStep(account?.totpSecret ?? unknownSecret, given.code, shownAt);
  if (!account) return { kind: "wrong", person: null, part: "email" };
  const { person } = account;
  const wrong = (part: string) => ({ kind: "wrong", person, part }) as const;
  if (!isRight) return wrong("password");
  if (step === undefined) return wrong("code");
  if (person.disabledAt) return wrong("disabled");
  return (await spendTotpStep(db, person.id, step)) ? { kind: "right", person } : wrong("used code");
};

const invitationPrefix = "ptg_invitation_";

/** Invites a person to choose a password, also in place of a lost one. The token is returned only here. */
export const invite = async (
  db: Database,
  sealer: Sealer,
  staffId: string,
): Promise<{ readonly token: Secret; readonly expiresAt: Date }> => {
  const { token, hash } = newApiToken(invitationPrefix);
  const totpSecret = newTotpSecret();
  return { token, expiresAt: await saveInvitation(db, sealer, { staffId, hash, totpSecret }) };
};

/** In the fragment, which browsers send to no server. */
export const invitationUrl = (operatorUrl: string, token: Secret): string =>
  `${operatorUrl}/console/enrol#${token.reveal()}`;

export const findOpenInvitation = (
  db: Database,
  sealer: Sealer,
  token: Secret,
): Promise<OpenInvitation | undefined> => findInvitation(db, sealer, hashOf(token.reveal()));

/** An enrolment that is right. `save` belongs in a transaction: the work before it takes too long for one. */
export interface CheckedEnrolment {
  readonly kind: "checked";
  /** Uses the invitation up, and replaces every earlier way to sign in here. Undefined: it was used meanwhile. */
  save(within: Database): Promise<StaffMember | undefined>;
}

/** Ends all that a person could sign in with here; undefined: the invitation was used before. */
export const replaceCredentials = async (
  db: Database,
  token: Secret,
  person: StaffMember,
): Promise<StaffMember | undefined> => {
  if (!(await takeInvitation(db, hashOf(token.reveal())))) return undefined;
  await deleteCredentials(db, person.id);
  await revokeSessions(db, person.id);
  return person;
};

/** Checks the password and the code of an invited person. */
export const checkEnrolment = async (
  { db, sealer, now = Date.now }: LocalSignInNeeds,
  given: { readonly token: Secret; readonly password: Secret; readonly code: string },
): Promise<CheckedEnrolment | { readonly kind: "missing" } | { readonly kind: "wrong_code" }> => {
  const invitation = await findOpenInvitation(db, sealer, given.token);
  if (!invitation) return { kind: "missing" };
  const { person, totpSecret } = invitation;
  const step = findTotpStep(totpSecret, given.code, now());
  if (step === undefined) return { kind: "wrong_code" };
  const hash = await hashPassword(given.password);
  return {
    kind: "checked",
    save: async (within) => {
      const enrolled = await replaceCredentials(within, given.token, person);
      if (enrolled) await savePassword(within, sealer, { staffId: person.id, totpSecret, hash, step });
      return enrolled;
    },
  };
};
