import { isRichText, type RichText, type TextReference } from "../families/record-parts.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Format } from "./rich-text.ts";
import { findReferences, rewriteReferences } from "./text-references.ts";

/** Returns the record of the same tool that a URL leads to; null: none, or another site. */
export type Recognise = (url: string) => TextReference["to"];

/** A text with a list of its images and links; those to records of the tool carry the record's id. */
export const richTextOf = (format: Format, text: string, recognise: Recognise): RichText => ({
  format,
  text,
  references: findReferences({ format, text }).map(({ kind, url }) => ({ kind, url, to: recognise(url) })),
});

/** A record's texts that have images or links, by field. */
export const textsWithReferences = (record: FamilyRecord): readonly (readonly [string, RichText])[] => {
  const found: (readonly [string, RichText])[] = [];
  for (const field of Object.keys(record)) {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[field];
    if (isRichText(value) && value.references.length > 0) found.push([field, value]);
  }
  return found;
};

/** Every record that a record's texts link to, with the field of the text. */
export const textReferencesOf = (
  record: FamilyRecord,
): readonly { readonly field: string; readonly stream: string; readonly id: string }[] =>
  textsWithReferences(record).flatMap(([field, { references }]) =>
    references.flatMap(({ to }) => (to ? [{ field, ...to }] : [])),
  );

/**
 * Replaces the URLs in a record's texts by those of the copies. A target without a copy, or without one yet, keeps its
 * old URL and its reference, so that a later pass can replace it.
 */
export const rewriteTexts = <T extends FamilyRecord>(
  record: T,
  addressOf: (to: { readonly stream: string; readonly id: string }, url: string) => string | null,
): T => {
  const texts = textsWithReferences(record);
  if (texts.length === 0) return record;
  const rewritten = texts.map(([field, value]) => {
    const known = value.references.flatMap(({ url, to }) => {
      const address = to ? addressOf(to, url) : null;
      return address === null ? [] : [[url, address] as const];
    });
    const addresses = new Map(known);
    const references = value.references.filter(({ url }) => !addresses.has(url));
    return [field, { ...value, text: rewriteReferences(value, addresses), references }] as const;
  });
  return { ...record, ...Object.fromEntries(rewritten) };
};
