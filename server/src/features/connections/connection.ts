import type { Account, Role as Side } from "@portage/connector-kit";
import type { Secret } from "../../platform/secret.ts";

/** Which of the two tools of an import. */
export type { Side };

export interface At {
  readonly importId: string;
  readonly side: Side;
}

/** The tokens that a tool's authorization server issued. */
export interface Tokens {
  readonly access: Secret;
  readonly refresh: Secret | null;
  /** Null: the tool does not say. */
  readonly accessExpiresAt: Date | null;
}

/** The result of connecting a side. */
export interface SignedIn {
  readonly tool: string;
  /** As they were given, before the manifest's schema filled in its defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly account: Account;
  /** Only for tools with a sign-in page. */
  readonly tokens: Tokens | null;
}

/** A side without its secrets, for display. */
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
  /** Rises with each sign-in. */
  readonly revision: number;
  /** The partner whose customer connected it. */
  readonly partnerName: string;
}
