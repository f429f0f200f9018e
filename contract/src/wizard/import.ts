import type { Family } from "../families.ts";
import type { Warning } from "../imports.ts";
import type { Payer, Sponsorship } from "../sponsorship.ts";
import type { StatusCode, StatusText } from "../statuses.ts";
import type { WizardKind } from "./kinds.ts";
import type { WizardNotices } from "./notices.ts";

export type WizardSide = "source" | "destination";

/** All that the customer may, or only connecting one side, for whoever was sent that step. */
export type WizardMay = "everything" | { readonly connect: WizardSide };

/** One field of a tool's settings, as JSON Schema says it. */
export interface WizardSetting {
  readonly title?: string;
  readonly description?: string;
  /** Kept sealed and never shown again. */
  readonly writeOnly?: true;
  /** Only asked for where the tool is on this side of a move. */
  readonly role?: WizardSide;
  /** Where to find it, step by step; `**words**` as the tool spells them. */
  readonly where?: readonly string[];
  /** What to do where it can't be found there. */
  readonly notThere?: string;
  readonly [keyword: string]: unknown;
}

export interface WizardSideState {
  readonly tool: string;
  /** The name for people; of the partner's own application, the partner's. */
  readonly label: string;
  /** The partner's own application: what it asks for is the partner's to give. */
  readonly partnersOwn: boolean;
  /** How one signs in: by what is typed, or at the tool's own page. */
  readonly signIn: "secret" | "oauth2" | "none";
  /** The sign-in itself can't change anything there, whoever has it. */
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
  /** Need not be typed: the partner gave them. */
  readonly supplied: readonly string[];
  /** What was typed before, but for secrets. */
  readonly values: Readonly<Record<string, unknown>>;
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
  /** For `may.connect`, the other side tells its tool and whether it is connected, no more. */
  readonly sides: Readonly<Record<WizardSide, WizardSideState>>;
  /** What both tools know and can be moved; null: the new tool was not asked yet, so that nothing is promised of it. */
  readonly kinds: readonly WizardKind[] | null;
  readonly warnings: readonly Warning[];
  /** What each change must carry as `X-Portage-Csrf`. Null where a bearer token was sent: then none is needed. */
  readonly csrf: string | null;
  readonly may: WizardMay;
  readonly partner: WizardPartner;
  readonly payer: Payer;
  readonly sponsorship: Sponsorship;
  /** The customer asked for the full migration. */
  readonly asked: boolean;
  readonly paid: boolean;
  readonly retention: {
    /** For how many days after the move a sign-in is kept. */
    readonly days: Readonly<Record<WizardSide, number>>;
    /** Null while the move is not completed, or where there is none to erase. */
    readonly signInErasedAt: Readonly<Record<WizardSide, string | null>>;
    /** An undo needs the sign-in to the new tool. */
    readonly undoEndsAt: string | null;
  };
  /** The current run, else the last one. */
  readonly run: {
    readonly id: string;
    readonly kind: "sample" | "full" | "delta" | "retry_failed" | "undo";
    readonly state: "running" | "waiting" | "done" | "failed" | "stopped";
    /** Why it could not go on: a stable code, and a sentence for people. */
    readonly failure?: { readonly code: string; readonly message: string } | null;
  } | null;
  /** Null: this service sends no email, or whoever asks may not know. */
  readonly notices: WizardNotices | null;
  readonly closed: {
    readonly kind: "cancelled" | "archived";
    readonly at: string;
    /** `stopping`: a copy is being ended, and what it wrote stays; `removing`: an undo is under way. */
    readonly copies: "nothing" | "there" | "removed" | "stopping" | "removing";
    /** False: a run that was under way still needs them; they are erased once it has settled. */
    readonly signInsErased: boolean;
  } | null;
}
