import type { CustomField, CustomFieldType } from "./families/custom-field.ts";
import type { Io } from "./io.ts";
import type { Removed } from "./removed.ts";

/** What this account can create. */
export interface CreatableFields {
  readonly types: readonly CustomFieldType[];
  /** For people, one or two sentences: why the other types can't be created here, and who can add such a field instead. */
  readonly why?: string;
}

/** A custom field that a destination lacks. */
export interface NewField extends Pick<CustomField, "label" | "type" | "options"> {
  /**
   * Unique per import and field, at most 64 characters of `a-z0-9:_-`. The tool stores it with the field: it proves that the
   * field is ours.
   */
  readonly mark: string;
}

export type FieldOutcome =
  /** The tool has exactly one field with this mark: this call created it, or an earlier one. */
  | { readonly kind: "created"; readonly field: CustomField }
  /** The field for external keys existed already, without this mark. */
  | { readonly kind: "found"; readonly field: CustomField }
  | { readonly kind: "rejected"; readonly code: string; readonly message: string }
  /** The field may or may not exist: the engine waits for the manifest's `grace` and calls again. */
  | { readonly kind: "unknown"; readonly why: string };

/**
 * Creates fields of a destination before a run copies anything, and removes them in its undo. Each call first looks the mark
 * up in the tool, so that a second one, also after a lost answer, creates nothing.
 */
export interface FieldSetup<S = unknown> {
  creatable(io: Io<S>): Promise<CreatableFields>;
  create(io: Io<S>, field: NewField): Promise<FieldOutcome>;
  /** The field that holds external keys, where the tool needs one that people must add otherwise. */
  createKeyField?(io: Io<S>, mark: string): Promise<FieldOutcome>;
  /** Removes the field with this mark, also the one for keys. A field in which any record holds a value is `kept`. */
  remove(io: Io<S>, mark: string): Promise<Removed>;
}

/** For a tool whose API can't create fields: `why` tells the customer who can, and where. */
export const noFieldSetup = (why: string): FieldSetup => ({
  creatable: async () => ({ types: [], why }),
  create: async () => ({ kind: "rejected", code: "cannot_be_created", message: why }),
  remove: async () => ({ kind: "removed" }),
});
