/**
 * The form of a key inside a text, where RT has no field for it: one word that a search can find. RT folds long
 * headers at spaces, so the word stays whole.
 */
export const markerOf = (key: string): string => `portage:${key}`;

const marker = /(?:^|[\s(])portage:([a-z0-9:_-]{1,64})(?=[\s)]|$)/;

export const keyIn = (text: string | null | undefined): string | null => marker.exec(text ?? "")?.[1] ?? null;

const cut = (text: string, length: number) => {
  const kept: string[] = [];
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > length) break;
    kept.push(character);
  }
  return kept.join("");
};

/** A short text with its key, within a maximum length: shortens the text, never the key. */
export const withMarker = (text: string | null, key: string, max: number): string => {
  const end = `(${markerOf(key)})`;
  const kept = cut(text ?? "", max - end.length - 1);
  return kept === "" ? end : `${kept} ${end}`;
};

export const withoutMarker = (text: string | null | undefined): string =>
  (text ?? "").replace(/ ?\(portage:[a-z0-9:_-]{1,64}\)$/, "");

/** Counts bytes of UTF-8, as RT does for its columns, and never cuts a character in two. */
export const shortened = (text: string, max: number): string => cut(text, max);
