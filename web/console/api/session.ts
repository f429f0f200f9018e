import type { AccountRole } from "@portage/contract/operator";

export interface ConsoleSession {
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** A person of a partner sees that partner alone. */
    readonly role: AccountRole;
    readonly partner: { readonly id: string; readonly name: string } | null;
  };
  readonly signed_in_by: "local" | "passkey" | "oidc";
  readonly expires_at: string;
}

/** How people can sign in here. */
export interface SignInOffer {
  readonly local: boolean;
  readonly passkeys: boolean;
  readonly oidc: { readonly label: string; readonly start: string } | null;
}

/** What an invitation leads to. */
export interface Enrolment {
  readonly name: string;
  readonly email: string;
  readonly totp: { readonly secret: string; readonly uri: string };
  readonly passkey: PublicKeyCredentialCreationOptionsJSON | null;
}
