import type { Family, Warning } from "@portage/contract";
import type { Secret } from "../../platform/secret.ts";
import type { Counted, Finding } from "./figures.ts";
import type { ImportState } from "./state.ts";

/** Who did it: recorded with each event. */
export type Actor =
  | { readonly kind: "partner"; readonly partnerId: string }
  | { readonly kind: "customer" | "operator" | "system" };

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
  /** Changes when the link does, and tells nothing about it. */
  readonly linkMark: string;
  readonly state: ImportState;
  /** As of the last run that has ended; a live run adds to it. */
  readonly counted: Counted;
  readonly createdAt: Date;
  readonly activeAt: Date;
  readonly closedAt: Date | null;
}

export interface ImportWithWarnings extends ImportRecord {
  readonly warnings: readonly Warning[];
  /** As of the last run that has ended. */
  readonly findings: readonly Finding[];
}

/** One form for a username, however it was typed: both sides of a comparison go through it. */
export const usernameKey = (username: string): string => username.normalize("NFC").trim().toLowerCase();
