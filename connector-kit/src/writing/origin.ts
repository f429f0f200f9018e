import { createHash } from "node:crypto";
import type { RichText } from "../families/record-parts.ts";
import { keyAtEnd, markerOf } from "./marker.ts";

type Format = RichText["format"];

const ends: Readonly<Record<Format, readonly [rule: string, close: string]>> = {
  plain: ["\n\n--\nImported. ", ""],
  html: ["\n<hr><p><small>Imported. ", "</small></p>"],
  markdown: ["\n\n---\n\nImported ", ""],
  textile: ["\n\n---\n\nImported ", ""],
};

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/**
 * Appends the values that the tool can't hold (`originLine`), and the key. A line for Markdown or Textile is in that format
 * already, since only the connector knows what its tool makes of it.
 */
export const withOrigin = (
  text: string,
  format: Format,
  line: string,
  key: string,
  checksum?: string,
): string => {
  const [rule, close] = ends[format];
  const parts = [
    format === "html" ? escaped(line) : line,
    checksum === undefined ? "" : `(seal:${checksum})`,
    `(${markerOf(key)})`,
  ];
  return `${text}${rule}${parts.filter((part) => part !== "").join(" ")}${close}`;
};

/** The text before the line that `withOrigin` appended, and the line's key; null if the text has no such line. */
export const splitOrigin = (
  text: string | null | undefined,
  format: Format,
): { readonly text: string; readonly key: string; readonly checksum: string | null } | null => {
  const [rule, close] = ends[format];
  // A tool may have stored CRLF line breaks of a browser form.
  const flat = (text ?? "").replaceAll("\r\n", "\n");
  const at = flat.lastIndexOf(rule);
  const line = at === -1 ? "" : flat.slice(at + rule.length).trimEnd();
  const own = close !== "" && line.endsWith(close) ? line.slice(0, -close.length) : line;
  const key = keyAtEnd(own);
  if (key === null) return null;
  const checksum = /\(seal:([a-z]{12})\)\s*\(portage:[^)]*\)\s*$/.exec(own)?.[1] ?? null;
  return { text: flat.slice(0, at), key, checksum };
};

const length = 12;
const letters = 26;

/**
 * A checksum of the written values, for the last line of the copy. While the copy matches it, no user has edited the copy,
 * whether or not the answer to the write arrived. Only letters: tools turn numbers into links.
 */
export const checksumOf = (key: string, text: string, fields: unknown): string => {
  const whole = JSON.stringify([key, text.replaceAll("\r\n", "\n"), fields]);
  const sum = createHash("sha256").update(whole).digest().subarray(0, length);
  return Array.from(sum, (byte) => String.fromCharCode("a".charCodeAt(0) + (byte % letters))).join("");
};

/**
 * Whether a text and its fields still match the checksum in its last line. A connector that seals other fields than it once did
 * also gives the earlier forms of them, which the copies of earlier releases have.
 */
export const matchesChecksum = (
  text: string | null | undefined,
  format: Format,
  ...forms: readonly unknown[]
): boolean => {
  const own = splitOrigin(text, format);
  return own !== null && forms.some((fields) => own.checksum === checksumOf(own.key, own.text, fields));
};
