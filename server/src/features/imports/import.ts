import type { Family, StatusCode, Warning } from "@portage/contract";
import type { Secret } from "../../platform/secret.ts";
import type { Counted, RunFinding } from "./figures.ts";
import type { ImportState } from "./state.ts";

/** Who caused it: recorded with each event. */
export type Actor =
  | { readonly kind: "partner"; readonly partnerId: string }
  /** `staffId`: the person, unless it was a command on the database. */
  | { readonly kind: "operator"; readonly staffId?: string }
  | { readonly kind: "customer" | "system" };

export interface ImportRecord {
  readonly id: string;
  readonly partnerId: string;
  readonly sourceTool: string;
  readonly destinationTool: string;
  readonly family: Family;
  readonly reference: string | null;
  readonly destinationInstanceUrl: string | null;
  readonly destinationUsername: string | null;
  readonly linkToken: Secret;
  /** Changes with the link, and reveals nothing about it. */
  readonly linkMark: string;
  readonly state: ImportState;
  /** As of the last ended run; a live run adds to it. */
  readonly counted: Counted;
  readonly createdAt: Date;
  readonly activeAt: Date;
  readonly closedAt: Date | null;
}

export interface ImportWithWarnings extends ImportRecord {
  readonly warnings: readonly Warning[];
  /** As of the last ended run. */
  readonly findings: readonly RunFinding[];
}

/** Which imports: those that fulfil all that is given. */
export interface ImportFilter {
  readonly partnerId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly exceptIds?: readonly string[] | undefined;
  /** Any of these; a query can be read in several ways. */
  readonly usernames?: readonly string[] | undefined;
  readonly status?: StatusCode | undefined;
  /** Any of these. */
  readonly references?: readonly string[] | undefined;
  readonly family?: Family | undefined;
  readonly sourceTool?: string | undefined;
  readonly destinationTool?: string | undefined;
  readonly closed?: boolean | undefined;
  /** Whether a run is live. */
  readonly running?: boolean | undefined;
  /** Created at this moment or later. */
  readonly createdAfter?: Date | undefined;
}

/** The normal form of a username; both sides of a comparison use it. */
export const usernameKey = (username: string): string => username.normalize("NFC").trim().toLowerCase();
