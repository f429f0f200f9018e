import { truncate } from "./truncate.ts";

/** The form of a key inside a text, where the tool has no field for it: one word, which a search can find. */
export const markerOf = (key: string): string => `portage:${key}`;

const anywhere = /(?:^|[\s(])portage:([a-z0-9:_-]{1,64})(?=[\s)]|$)/;
const atEnd = /\s*\(portage:([a-z0-9:_-]{1,64})\)\s*$/;

/** The key in a text that only imports write, such as the subject of a message. */
export const keyIn = (text: string | null | undefined): string | null =>
  anywhere.exec(text ?? "")?.[1] ?? null;

/** The key at the end of a text. One in the middle does not count: people quote texts. */
export const keyAtEnd = (text: string | null | undefined): string | null =>
  atEnd.exec(text ?? "")?.[1] ?? null;

/** A short text with its key, within a maximum length: shortens the text, never the key. */
export const withMarker = (text: string | null, key: string, max: number, cut = truncate): string => {
  const marker = `(${markerOf(key)})`;
  const kept = cut(text ?? "", max - marker.length - 1);
  return kept === "" ? marker : `${kept} ${marker}`;
};

export const withoutMarker = (text: string | null | undefined): string | null => {
  const rest = (text ?? "").replace(/ ?\(portage:[a-z0-9:_-]{1,64}\)$/, "");
  return rest === "" ? null : rest;
};
