import type { RichText, TextReference } from "../families/record-parts.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Format } from "./rich-text.ts";
import { findReferences, rewriteReferences } from "./text-references.ts";

/** Answers which record of the same tool an address leads to; null: none, or elsewhere. */
export type Recognise = (url: string) => TextReference["to"];

/** A text as a source gives it out: its images and links are told, those that lead to records with their ids. */
export const richTextOf = (format: Format, text: string, recognise: Recognise): RichText => ({
  format,
  text,
  references: findReferences({ format, text }).map(({ kind, url }) => ({ kind, url, to: recognise(url) })),
});

const isRichText = (value: unknown): value is RichText =>
  typeof value === "object" &&
  value !== null &&
  "format" in value &&
  "text" in value &&
  "references" in value;

/** Every record that a record's texts lead to, with the field that they stand in. */
export const textReferencesOf = (
  record: FamilyRecord,
): readonly { readonly field: string; readonly stream: string; readonly id: string }[] =>
  Object.entries(record).flatMap(([field, value]) =>
    isRichText(value) ? value.references.flatMap(({ to }) => (to ? [{ field, ...to }] : [])) : [],
  );

/**
 * The record with the addresses in its texts replaced by those of the copies; what has no copy, or none yet, keeps
 * its old address and its reference, so that a later pass can replace it.
 */
export const rewriteTexts = <T extends FamilyRecord>(
  record: T,
  addressOf: (to: { readonly stream: string; readonly id: string }, url: string) => string | null,
): T => {
  const rewritten = Object.entries(record).flatMap(([field, value]) => {
    if (!isRichText(value)) return [];
    const known = value.references.flatMap(({ url, to }) => {
      const address = to ? addressOf(to, url) : null;
      return address === null ? [] : [[url, address] as const];
    });
    const addresses = new Map(known);
    const references = value.references.filter(({ url }) => !addresses.has(url));
    return [[field, { ...value, text: rewriteReferences(value, addresses), references }] as const];
  });
  return { ...record, ...Object.fromEntries(rewritten) };
};
