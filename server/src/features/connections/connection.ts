import type { Account, Role } from "@portage/connector-kit";
import type { Secret } from "../../platform/secret.ts";

/** Which of the two tools of an import. */
export type Side = Role;

export interface At {
  readonly importId: string;
  readonly side: Side;
}

/** What a tool's authorization server gave. */
export interface Tokens {
  readonly access: Secret;
  readonly refresh: Secret | null;
  /** Null where the tool does not tell. */
  readonly accessExpiresAt: Date | null;
}

/** Everything that connecting a side brings. */
export interface SignedIn {
  readonly tool: string;
  /** As they were given, before the manifest's schema filled in its defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly account: Account;
  /** Only of tools with a sign-in page. */
  readonly tokens: Tokens | null;
}

/** A side as it is shown: nothing secret. */
export interface ConnectionSummary {
  readonly side: Side;
  readonly tool: string;
  readonly state: "connected" | "expired" | "disconnected";
  readonly accountId: string;
  readonly accountName: string;
  readonly signInName: string;
}

export interface Connection extends ConnectionSummary {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Rises each time that a person connects. */
  readonly revision: number;
  /** Whose customer connected it. */
  readonly partnerName: string;
}
