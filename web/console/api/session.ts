import type { AccountRole } from "@portage/contract/operator";

/** A person of a partner's own staff sees that partner alone. */
export type ConsoleRole = AccountRole;

export interface ConsoleSession {
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly role: ConsoleRole;
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
