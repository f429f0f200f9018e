import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { Secret } from "../../platform/secret.ts";
import { type CheckedEnrolment, findOpenInvitation, replaceCredentials } from "./local-sign-in.ts";
import type { StaffMember } from "./staff.ts";
import { findPasskey, insertPasskey, spendChallenge } from "./store-passkeys.ts";

export interface PasskeyNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Passkeys are bound to its host. */
  readonly operatorUrl: string;
  readonly now?: () => number;
}

/** Browsers make passkeys for names, not for IP addresses. */
export const hasPasskeys = (operatorUrl: string): boolean =>
  isIP(new URL(operatorUrl).hostname.replace(/^\[|\]$/g, "")) === 0;

/** Loaded with the first ceremony: workers and commands have none. */
const library = () => import("@simplewebauthn/server");

/** EdDSA, ES256 and RS256, which all authenticators know. The library would look for experimental ones, too. */
const supportedAlgorithmIDs = [-8, -7, -257];

const challengeMs = 5 * 60_000;
const about = "staff-passkey-challenge";

/** A challenge that says itself what it is for and since when, so that nothing is stored for visitors. */
const newChallenge = ({ sealer, now = Date.now }: PasskeyNeeds, purpose: string): string => {
  const text = `${purpose}.${now()}.${randomBytes(16).toString("hex")}`;
  return `${text}.${sealer.fingerprint(about, text).toString("hex")}`;
};

/** When our challenge was made; undefined: it is not ours, for something else, or too old. */
const challengeMadeAt = (
  { sealer, now = Date.now }: PasskeyNeeds,
  purpose: string,
  challenge: string,
): number | undefined => {
  const [given = "", madeAt = "", random = "", mark = ""] = Buffer.from(challenge, "base64url")
    .toString()
    .split(".");
  const text = `${given}.${madeAt}.${random}`;
  if (given !== purpose || !sealer.isFingerprintOf(about, text, Buffer.from(mark, "hex"))) return undefined;
  return Number(madeAt) > now() - challengeMs ? Number(madeAt) : undefined;
};

/** Both must hold: the device, and its owner's finger, face or PIN. */
const authenticatorSelection = { residentKey: "required", userVerification: "required" } as const;

const expectationsOf = (operatorUrl: string) => {
  const { origin, hostname } = new URL(operatorUrl);
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
};

export const passkeyRegistration = async (
  needs: PasskeyNeeds,
  person: StaffMember,
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    rpName: "Portage",
    rpID: new URL(needs.operatorUrl).hostname,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    challenge: newChallenge(needs, person.id),
    attestationType: "none",
    supportedAlgorithmIDs,
    authenticatorSelection,
  });

/** Checks the passkey of an invited person. */
export const checkPasskeyEnrolment = async (
  needs: PasskeyNeeds,
  given: { readonly token: Secret; readonly response: object },
): Promise<CheckedEnrolment | { readonly kind: "missing" } | { readonly kind: "wrong_passkey" }> => {
  const { db, sealer, operatorUrl } = needs;
  const invitation = await findOpenInvitation(db, sealer, given.token);
  if (!invitation) return { kind: "missing" };
  const { person } = invitation;
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response: given.response as RegistrationResponseJSON,
    supportedAlgorithmIDs,
    expectedChallenge: (challenge) => challengeMadeAt(needs, person.id, challenge) !== undefined,
    ...expectationsOf(operatorUrl),
    // The library throws for whatever does not fit.
  }).catch(() => null);
  if (!verified?.verified) return { kind: "wrong_passkey" };
  const { credential } = verified.registrationInfo;
  return {
    kind: "checked",
    save: async (within) => {
      const enrolled = await replaceCredentials(within, given.token, person);
      if (enrolled) await insertPasskey(within, person.id, credential);
      return enrolled;
    },
  };
};

export const passkeySignIn = async (needs: PasskeyNeeds): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await library()).generateAuthenticationOptions({
    rpID: new URL(needs.operatorUrl).hostname,
    challenge: newChallenge(needs, "sign-in"),
    userVerification: "required",
  });

/** Checks the answer of a passkey; each challenge is answered once. */
export const signInWithPasskey = async (
  needs: PasskeyNeeds,
  response: { readonly id: string },
): Promise<
  | { readonly kind: "right"; readonly person: StaffMember }
  | { readonly kind: "wrong"; readonly person: StaffMember | null; readonly part: string }
> => {
  const known = await findPasskey(needs.db, response.id);
  if (!known) return { kind: "wrong", person: null, part: "passkey" };
  const { person, credential } = known;
  let madeAt: number | undefined;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => {
      madeAt = challengeMadeAt(needs, "sign-in", challenge);
      return madeAt !== undefined;
    },
    credential,
    ...expectationsOf(needs.operatorUrl),
  }).catch(() => null);
  if (!verified?.verified || madeAt === undefined) return { kind: "wrong", person, part: "answer" };
  if (person.disabledAt) return { kind: "wrong", person, part: "disabled" };
  const { newCounter } = verified.authenticationInfo;
  return (await spendChallenge(needs.db, credential.id, madeAt, newCounter))
    ? { kind: "right", person }
    : { kind: "wrong", person, part: "used challenge" };
};
