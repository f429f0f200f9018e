import type { RichText, TextReference } from "@portage/connector-kit";
import { findReferences } from "@portage/connector-kit/rich-text";
import { linkedFrom } from "./addresses.ts";
import { attachmentId, type Names, pageId } from "./names.ts";
import type { AttachmentRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";

/** The location of a text: names in it refer to its own files and to pages of its own project. */
export interface Place {
  readonly names: Names;
  readonly stream: string;
  readonly id: string;
  readonly projectId: string;
  readonly attachments: readonly AttachmentRow[];
}

type Target = TextReference["to"];

const issueMark = /(?<![\w&#/.-])#(\d{1,9})(?![\w-])/g;
const pageMark = /\[\[([^\]|\n:#]{1,255})(?:#[^\]|\n]*)?(?:\|[^\]\n]{0,255})?\]\]/g;

/** Redmine's rule for the page name in a URL. */
export const titleize = (title: string): string => {
  const plain = title
    .trim()
    .replace(/\s+/g, "_")
    .replace(/[,./?;|:]/g, "");
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
};

const fileNamed = (place: Place, url: string): Target => {
  let name = url;
  try {
    name = decodeURIComponent(url);
  } catch {
    // not URL-encoded: use the name as it is
  }
  const found = place.attachments.findLast(({ filename }) => filename.toLowerCase() === name.toLowerCase());
  return found ? { stream: "attachments", id: attachmentId(place.stream, place.id, found.id) } : null;
};

const targetOf = (io: RedmineIo, place: Place, url: string): Target => {
  if (!/^[a-z][a-z0-9+.-]*:|^\//i.test(url)) return fileNamed(place, url);
  const { issueId, fileId } = linkedFrom(io.settings, url);
  if (issueId) return { stream: place.names.issues, id: issueId };
  const file = Number(fileId);
  // The URL of another record's file does not name that record: only own files can be referenced.
  return place.attachments.some(({ id }) => id === file)
    ? { stream: "attachments", id: attachmentId(place.stream, place.id, file) }
    : null;
};

/** The unchanged text, with its images and links to records of this Redmine. */
export const readText = (io: RedmineIo, held: string, place: Place): RichText => {
  // Redmine stores CRLF, as browser forms send it, whatever was written.
  const text = held.replaceAll("\r\n", "\n");
  const format = io.settings.textFormat;
  const found = new Map<string, TextReference>();
  const add = (reference: TextReference) => void found.set(`${reference.kind} ${reference.url}`, reference);
  for (const { kind, url } of findReferences({ format, text }))
    add({ kind, url, to: targetOf(io, place, url) });
  for (const [url, id] of text.matchAll(issueMark))
    add({ kind: "link", url, to: { stream: place.names.issues, id: id ?? "" } });
  for (const [url, title] of text.matchAll(pageMark)) {
    const id = pageId(place.projectId, titleize(title ?? ""));
    add({ kind: "link", url, to: { stream: place.names.pages, id } });
  }
  return { format, text, references: [...found.values()] };
};
