/** What became of a record or a field that was to be removed. */
export type Removed =
  /** Also if it no longer existed. */
  | { readonly kind: "removed" }
  | { readonly kind: "kept"; readonly code: string; readonly message: string }
  | { readonly kind: "unknown"; readonly why: string };
