import type { WizardKind } from "@portage/contract/wizard";

/** Null: the destination's capabilities are unknown, so we promise nothing. */
type Kinds = readonly WizardKind[] | null;

const forAll = (kinds: Kinds, holds: (kind: WizardKind) => boolean): boolean =>
  kinds !== null && kinds.length > 0 && kinds.every(holds);

/** Moving records never sends a message to anyone. */
export const isSilent = (kinds: Kinds): boolean => forAll(kinds, ({ silent }) => silent);

/** Every moved record can be removed again. */
export const isUndoable = (kinds: Kinds): boolean => forAll(kinds, ({ removable }) => removable);

/** Every selected kind with an author keeps it; `chosen` null: all kinds are selected. */
export const keepsAuthors = (kinds: Kinds, chosen: readonly string[] | null): boolean =>
  forAll(
    kinds?.filter(({ name, keepsAuthor }) => keepsAuthor !== null && (chosen?.includes(name) ?? true)) ??
      null,
    ({ keepsAuthor }) => keepsAuthor === true,
  );
