import type { Family } from "../families.ts";
import type { Warning } from "../imports.ts";
import type { Payer, Sponsorship } from "../sponsorship.ts";
import type { StatusCode, StatusText } from "../statuses.ts";
import type { WizardKind } from "./kinds.ts";
import type { WizardNotices } from "./notices.ts";

export type WizardSide = "source" | "destination";

/** All rights of the customer, or only the right to connect one side, for an admin with a link to that step. */
export type WizardMay = "everything" | { readonly connect: WizardSide };

/** One field of a tool's settings, in JSON Schema. */
export interface WizardSetting {
  readonly title?: string;
  readonly description?: string;
  /** Stored sealed and never shown again. */
  readonly writeOnly?: true;
  /** Only needed if the tool is on this side of a move. */
  readonly role?: WizardSide;
  /** What comes out depends on it: asked for at once, even if it has a default. */
  readonly important?: true;
  /** What the values of an `enum` mean, for people. */
  readonly options?: Readonly<Record<string, string>>;
  /** Where to find it, step by step; `**words**` as the tool spells them. */
  readonly where?: readonly string[];
  /** What to do if it is not there. */
  readonly notThere?: string;
  readonly [keyword: string]: unknown;
}

export interface WizardSideState {
  readonly tool: string;
  /** The display name; for the partner's own application, the partner's name. */
  readonly label: string;
  /** The partner's own application: the partner supplies its settings. */
  readonly partnersOwn: boolean;
  /** How the customer signs in: with typed settings, or on the tool's own page. */
  readonly signIn: "secret" | "oauth2" | "none";
  /** The sign-in has no write access to the tool. */
  readonly readOnly: boolean;
  readonly state: "connected" | "expired" | "disconnected";
  readonly connected: boolean;
  readonly accountName: string | null;
  readonly signInName: string | null;
  readonly form: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, WizardSetting>>;
    readonly required: readonly string[];
  };
  /** The settings that the partner supplied, so that the customer need not type them. */
  readonly supplied: readonly string[];
  /** The values typed before, except secrets. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Another way to sign in, from which the customer can choose. */
  readonly alternative: Pick<WizardSideState, "signIn" | "readOnly" | "form" | "supplied"> | null;
}

export interface WizardPartner {
  readonly name: string;
  readonly helpUrl: string | null;
  readonly helpEmail: string | null;
  readonly privacyUrl: string | null;
  readonly returnUrl: string | null;
  readonly hasLogo: boolean;
}

/** GET /wizard/api/imports/:id. Dates are ISO 8601 in UTC. */
export interface WizardImport {
  readonly id: string;
  readonly status: { readonly code: StatusCode; readonly text: StatusText };
  readonly family: Family;
  /** For `may.connect`, the other side contains only its tool and whether it is connected. */
  readonly sides: Readonly<Record<WizardSide, WizardSideState>>;
  /** The kinds that both tools support; null: the destination has not answered yet, so nothing is promised. */
  readonly kinds: readonly WizardKind[] | null;
  readonly warnings: readonly Warning[];
  /** The value of `X-Portage-Csrf` for each change. Null with a bearer token, which needs none. */
  readonly csrf: string | null;
  readonly may: WizardMay;
  readonly partner: WizardPartner;
  readonly payer: Payer;
  readonly sponsorship: Sponsorship;
  /** The customer asked for the full migration. */
  readonly asked: boolean;
  readonly paid: boolean;
  readonly retention: {
    /** The retention of a sign-in after the move, in days. */
    readonly days: Readonly<Record<WizardSide, number>>;
    /** Null until the move is completed, or if there is no sign-in to erase. */
    readonly signInErasedAt: Readonly<Record<WizardSide, string | null>>;
    /** An undo needs the sign-in to the new tool. */
    readonly undoEndsAt: string | null;
  };
  /** The current run, else the last one. */
  readonly run: {
    readonly id: string;
    readonly kind: "sample" | "full" | "delta" | "retry_failed" | "undo";
    readonly state: "running" | "waiting" | "done" | "failed" | "stopped";
    /** Why the run failed: a stable code, and a sentence for people. */
    readonly failure?: { readonly code: string; readonly message: string } | null;
  } | null;
  /** Null: this service sends no email, or the session may not see it. */
  readonly notices: WizardNotices | null;
  readonly closed: {
    readonly kind: "cancelled" | "archived";
    readonly at: string;
    /** `stopping`: a copy is ending, and its records stay; `removing`: an undo is in progress. */
    readonly copies: "nothing" | "there" | "removed" | "stopping" | "removing";
    /** False: a run still needs them; Portage erases them once it has settled. */
    readonly signInsErased: boolean;
  } | null;
}
