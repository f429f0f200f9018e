import { createHash } from "node:crypto";
import { keyAtEnd, type RichText, truncate, withOrigin } from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";

/** Zendesk cuts comments at 65,535 characters; the rest is for the last line. */
const maxText = 60_000;

/** A text as Zendesk holds it: HTML without anything that it would take out. */
export const htmlOf = ({ format, text }: RichText): string => {
  const html = convertRichText({ format, text }, "html").text;
  if (html.length <= maxText) return html;
  const plain = convertRichText({ format, text }, "plain").text;
  for (let max = maxText; ; max = Math.floor(max * 0.8)) {
    const cut = convertRichText({ format: "plain", text: truncate(plain, max) }, "html").text;
    if (cut.length <= maxText) return cut;
  }
};

/** Where a file belongs: to the ticket, to the comment that holds it, or to another comment of the ticket. */
export type FilePlace = "t" | "c" | number;

export interface HeldFile {
  readonly key: string;
  readonly attachmentId: number;
  readonly place: FilePlace;
}

/** Zendesk has no field for the keys of files, so the comment that holds them names them in short. */
export const fileDigest = (key: string): string =>
  createHash("sha256").update(key).digest("hex").slice(0, 12);

/**
 * A comment with its key, by which `find` recognises it. Zendesk's comments have no field for it and come without one in any
 * list, so the last line of the text has it, after what Zendesk can't hold and the files of the comment.
 */
export const withKey = (html: string, line: string, key: string, files: readonly HeldFile[] = []): string => {
  const held = files.map((file) => `${file.place}.${fileDigest(file.key)}=${file.attachmentId}`).join(" ");
  return withOrigin(html, "html", held === "" ? line : `${line} (files: ${held})`.trimStart(), key);
};

const wrapper = /^\s*<div class="zd-comment"[^>]*>([\s\S]*)<\/div>\s*$/;
const lastLine = /\s*<hr\s*\/?>\s*<p>(?:<small>)?Imported\. [^<]*\(portage:[^)<]*\)(?:<\/small>)?<\/p>\s*$/;

/** What people said, without the element that Zendesk puts around it. */
export const unwrapped = (html: string): string => wrapper.exec(html)?.[1] ?? html;

/** The text without the last line of a copy. */
export const withoutKey = (html: string): string => unwrapped(html).replace(lastLine, "");

/** The key of a copy, by the plain text: Zendesk may change markup. */
export const keyOf = (plain: string | null | undefined): string | null => keyAtEnd(plain);

/** The files that a comment names: where each belongs, and its digest, by the attachment's number. */
export const filesNamed = (
  plain: string | null | undefined,
): ReadonlyMap<number, { readonly digest: string; readonly place: FilePlace }> => {
  const held = /\(files: ([^)]*)\)\s*\(portage:[^)]*\)\s*$/.exec(plain ?? "")?.[1] ?? "";
  return new Map(
    [...held.matchAll(/(\w+)\.([0-9a-f]{12})=(\d+)/g)].map(([, place = "c", digest = "", id]) => [
      Number(id),
      { digest, place: place === "t" || place === "c" ? place : Number(place) },
    ]),
  );
};

/** Zendesk's tags are lower-case words. */
export const tagsOf = (labels: readonly string[]): readonly string[] => {
  const tag = (label: string) =>
    label
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}/:.-]+/gu, "_")
      .replace(/^_+|_+$/g, "");
  return [...new Set(labels.map(tag).filter((each) => each !== ""))];
};

/** A moment that an import may set: in whole seconds, from 1970 and not in the future. */
export const settable = (moment: string): string => {
  const latest = Date.now() - 5_000;
  const time = Math.min(Math.max(Date.parse(moment), 0), latest);
  return new Date(Math.floor(time / 1_000) * 1_000).toISOString();
};
