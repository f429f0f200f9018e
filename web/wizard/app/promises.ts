import type { WizardKind } from "@portage/contract/wizard";

/** Null: the new tool has not said what it does, so that nothing is promised of it. */
type Kinds = readonly WizardKind[] | null;

const forAll = (kinds: Kinds, holds: (kind: WizardKind) => boolean): boolean =>
  kinds !== null && kinds.length > 0 && kinds.every(holds);

/** Nobody gets a message, whatever is moved. */
export const isSilent = (kinds: Kinds): boolean => forAll(kinds, ({ silent }) => silent);

/** All that is moved can be taken away again. */
export const isUndoable = (kinds: Kinds): boolean => forAll(kinds, ({ removable }) => removable);

/** Of what is chosen, all that has an author keeps it; `chosen` null: everything is. */
export const keepsAuthors = (kinds: Kinds, chosen: readonly string[] | null): boolean =>
  forAll(
    kinds?.filter(({ name, keepsAuthor }) => keepsAuthor !== null && (chosen?.includes(name) ?? true)) ??
      null,
    ({ keepsAuthor }) => keepsAuthor === true,
  );
