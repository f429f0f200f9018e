/** PUT …/connections/:side and POST …/sign-ins: the tool has accepted the sign-in. */
export interface WizardConnected {
  readonly accountName: string;
  readonly signInName: string;
}

/** Why a tool could not be connected. */
export interface WizardRefusal {
  readonly code: "wrong_key" | "no_permission" | "wrong_address" | "unreachable" | "not_now";
  readonly message: string;
  readonly fix: string;
  /** The setting to correct, if known. */
  readonly setting: string | null;
  /** For support. */
  readonly detail: string;
}

/** A 422 of the same: messages by setting, and the details of the tool's refusal. */
export interface ConnectRefused {
  readonly refusal: WizardRefusal;
  readonly [setting: string]: readonly string[] | WizardRefusal;
}

/** One kind of record that the old tool has. */
export interface FoundStream {
  readonly name: string;
  /** For people: "Tickets". */
  readonly label: string;
  /** `counting`: not known yet. `untold`: unknown before the copy. `refused`: the account can't read them. */
  readonly state: "counting" | "counted" | "untold" | "refused";
  readonly count: number | null;
  /** False: the tool's estimate. */
  readonly exact: boolean;
  /** For files: their total size; null: unknown. */
  readonly bytes: number | null;
}

/** One kind of record that the new tool accepts. */
export interface TakenStream {
  readonly name: string;
  readonly label: string;
  /** Writing it sends no mail. */
  readonly silent: boolean;
  /** How many more records its plan allows; null: unknown or unlimited. */
  readonly room: number | null;
}

/** GET …/connections/:side/found: the kinds and counts that are known so far. */
export type WizardFound =
  | {
      readonly side: "source";
      /** True: counting is in progress; ask again. */
      readonly counting: boolean;
      /** Why counting stopped before its end, in a sentence. */
      readonly trouble: string | null;
      readonly streams: readonly FoundStream[];
    }
  | { readonly side: "destination"; readonly streams: readonly TakenStream[] };
