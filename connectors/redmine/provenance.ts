import type { FamilyRecord, Who } from "@portage/connector-kit";

/** The form of a key inside a text, where Redmine has no field for it. */
export const markerOf = (key: string): string => `(portage:${key})`;

const markerAtEnd = /\s*\(portage:([a-z0-9:_-]{1,64})\)\s*$/;

export const keyIn = (text: string | null | undefined): string | null =>
  markerAtEnd.exec(text ?? "")?.[1] ?? null;

/** A short text with its key, within a maximum length: shortens the text, never the key. */
export const withMarker = (text: string | null, key: string, max: number): string => {
  const marker = markerOf(key);
  const room = max - marker.length - 1;
  const kept = (text ?? "").slice(0, room).replace(/[\ud800-\udbff]$/, "");
  return kept === "" ? marker : `${kept} ${marker}`;
};

export const withoutMarker = (text: string | null | undefined): string | null => {
  const rest = (text ?? "").replace(/ ?\(portage:[a-z0-9:_-]{1,64}\)$/, "");
  return rest === "" ? null : rest;
};

const personOf = ({ name, email }: Who): string =>
  [name, email ? `<${email}>` : null].filter((part) => part !== null).join(" ") || "unknown";

const oneLine = (text: string, max: number) => {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > max ? `${flat.slice(0, max)}…` : flat;
};

const shownValue = (value: FamilyRecord["customFields"][string]) =>
  oneLine(Array.isArray(value) ? value.join(", ") : String(value), 200);

export interface Origin {
  readonly record: FamilyRecord & { readonly author?: Who | null };
  /** People for whom Redmine has no account, by label: "Assignee" → who. */
  readonly people?: Readonly<Record<string, Who | null | undefined>>;
  /** Any other values that Redmine can't hold. */
  readonly also?: Readonly<Record<string, string | null | undefined>>;
  /** The keys of the custom fields that Redmine has. */
  readonly keptFields: ReadonlySet<string>;
}

export const shortMoment = (moment: string) => moment.replace("T", " ").replace(/(:\d\d)?(\.\d+)?Z$/, " UTC");

/** The values that Redmine can't hold, in one line for its readers. */
export const originLine = ({ record, people = {}, also = {}, keptFields }: Origin): string => {
  const parts = [
    record.author ? `by ${personOf(record.author)}` : null,
    record.createdAt ? `on ${shortMoment(record.createdAt)}` : null,
    record.updatedAt && record.updatedAt !== record.createdAt
      ? `last changed on ${shortMoment(record.updatedAt)}`
      : null,
    ...Object.entries(people).map(([label, who]) => (who ? `${label}: ${personOf(who)}` : null)),
    ...Object.entries(also).map(([label, text]) => (text ? `${label}: ${oneLine(text, 200)}` : null)),
    record.tags.length > 0 ? `Tags: ${oneLine(record.tags.join(", "), 300)}` : null,
    ...Object.entries(record.customFields)
      .filter(([key, value]) => !keptFields.has(key) && value !== null && value !== "")
      .slice(0, 20)
      .map(([key, value]) => `${key}: ${shownValue(value)}`),
  ];
  return oneLine(parts.filter((part) => part !== null).join("; "), 2_000);
};

const rule = "\n\n---\n\nImported";

/** Appends the line and then the key to a text. `line` is already in the text's format. */
export const withOrigin = (text: string, line: string, key: string, seal?: string): string => {
  const parts = [line, seal === undefined ? "" : `(seal:${seal})`, markerOf(key)];
  return `${text}${rule} ${parts.filter((part) => part !== "").join(" ")}`;
};

/** The text without the line, and the line's key; null if the text has no such line. */
export const splitOrigin = (text: string | null | undefined): { text: string; key: string } | null => {
  // Redmine may have stored CRLF line breaks of a browser form.
  const flat = (text ?? "").replaceAll("\r\n", "\n");
  const key = keyIn(flat);
  const at = flat.lastIndexOf(rule);
  return key === null || at === -1 ? null : { text: flat.slice(0, at), key };
};
