/** PUT …/connections/:side and POST …/sign-ins: the tool has really accepted it. */
export interface WizardConnected {
  readonly accountName: string;
  readonly signInName: string;
}

/** Why a tool could not be connected. */
export interface WizardRefusal {
  readonly code: "wrong_key" | "no_permission" | "wrong_address" | "unreachable" | "not_now";
  readonly message: string;
  readonly fix: string;
  /** The setting to correct, where that can be told. */
  readonly setting: string | null;
  /** For support. */
  readonly detail: string;
}

/** A 422 of the same: messages by the name of the setting, and of the tool's own refusal all that is known. */
export interface ConnectRefused {
  readonly refusal: WizardRefusal;
  readonly [setting: string]: readonly string[] | WizardRefusal;
}

/** One kind of record that the old tool has. */
export interface FoundStream {
  readonly name: string;
  /** For people: "Tickets". */
  readonly label: string;
  /** `counting`: not known yet. `untold`: the tool does not tell before the copy. `refused`: it lets nobody read them. */
  readonly state: "counting" | "counted" | "untold" | "refused";
  readonly count: number | null;
  /** False: no more than the tool's own guess. */
  readonly exact: boolean;
  /** Files: how large they are together; null: the tool does not tell. */
  readonly bytes: number | null;
}

/** One kind of record that the new tool takes. */
export interface TakenStream {
  readonly name: string;
  readonly label: string;
  /** Nobody gets a message when it is written. */
  readonly silent: boolean;
  /** How many more its plan takes; null: it does not tell, or there is no limit. */
  readonly room: number | null;
}

/** GET …/connections/:side/found: what there is, as far as it is known yet. */
export type WizardFound =
  | {
      readonly side: "source";
      /** True: it is still being counted; ask again. */
      readonly counting: boolean;
      /** Why counting stopped before its end, in a sentence. */
      readonly trouble: string | null;
      readonly streams: readonly FoundStream[];
    }
  | { readonly side: "destination"; readonly streams: readonly TakenStream[] };
