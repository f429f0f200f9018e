import type { FamilyRecord, Who } from "@portage/connector-kit";
import { keyIn, markerOf, shortened } from "./marker.ts";

const oneLine = (text: string, max: number) => {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > max ? `${shortened(flat, max)}…` : flat;
};

export const personLine = ({ name, email }: Who): string =>
  oneLine([name, email ? `<${email}>` : null].filter((part) => part !== null).join(" ") || "unknown", 100);

const shortMoment = (moment: string) => `${moment.slice(0, 16).replace("T", " ")} UTC`;

/** A message's subject: the original author and time, since RT takes both from the call, and the key. */
export const messageSubject = (
  { author, createdAt }: { readonly author: Who | null; readonly createdAt: string | null },
  key: string,
  what = "",
): string => {
  const parts = [
    author ? personLine(author) : null,
    createdAt ? shortMoment(createdAt) : null,
    what,
    markerOf(key),
  ];
  return parts.filter(Boolean).join(" · ");
};

export interface Origin {
  readonly tags: readonly string[];
  /** People for whom RT has no user. */
  readonly people: Readonly<Record<string, Who | null>>;
  /** Any other values that RT can't hold. */
  readonly also: Readonly<Record<string, unknown>>;
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(", ");
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? shortMoment(text) : text;
};

/** The values of a ticket that RT can't hold, in one line for its readers; empty if there are none. */
export const originLine = ({ tags, people, also }: Origin): string => {
  const parts = [
    ...Object.entries(people).map(([label, who]) => (who ? `${label}: ${personLine(who)}` : null)),
    tags.length > 0 ? `Tags: ${oneLine(tags.join(", "), 300)}` : null,
    ...Object.entries(also)
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .slice(0, 30)
      .map(([label, value]) => `${label}: ${oneLine(shown(value), 200)}`),
  ];
  return oneLine(parts.filter((part) => part !== null).join("; "), 3_000);
};

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const plainRule = "\n\n--\nImported. ";
const htmlRule = "\n<hr><p><small>Imported. ";
const htmlEnd = "</small></p>";

/** Appends the line and the key to a text; returns the text unchanged if the line is empty. */
export const withOrigin = (text: string, html: boolean, line: string, key: string): string => {
  if (line === "") return text;
  const end = `(${markerOf(key)})`;
  return html ? `${text}${htmlRule}${escaped(line)} ${end}${htmlEnd}` : `${text}${plainRule}${line} ${end}`;
};

/** The text without the line that `withOrigin` appended. */
export const withoutOrigin = (text: string, html: boolean): string => {
  const at = text.lastIndexOf(html ? htmlRule : plainRule);
  return at === -1 || keyIn(text.slice(at).replace(htmlEnd, "")) === null ? text : text.slice(0, at);
};

/** The custom fields that RT does not have, for the line. */
export const strangeFields = (
  record: Pick<FamilyRecord, "customFields">,
  known: ReadonlySet<string>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record.customFields).filter(([key]) => !known.has(key)));
