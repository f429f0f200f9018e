import { markerOf, momentLine, personLine, type Who } from "@portage/connector-kit";

/**
 * RT can neither add a file to an existing message nor change a message. So a file comes in a separate message whose
 * subject names its parent; the source puts it back there. Portage marks its own notes in the same way.
 */
const fileWord = /(?:^|\s)file-of:(ticket|message):(\d+)(?=\s|$)/;
const noteWord = /(?:^|\s)portage-note(?=\s|$)/;

export interface CarriedFor {
  readonly stream: "tickets" | "comments";
  readonly id: string;
}

export const carrierWord = ({ stream, id }: CarriedFor): string =>
  `file-of:${stream === "tickets" ? "ticket" : "message"}:${id}`;

export const carriedFor = (subject: string): CarriedFor | null => {
  const [, kind, id] = fileWord.exec(subject) ?? [];
  if (!kind || !id || !subject.includes(markerOf(""))) return null;
  return { stream: kind === "ticket" ? "tickets" : "comments", id };
};

export const noteSubject = "Changed by an import · portage-note";

export const isNote = (subject: string): boolean => noteWord.test(subject);

/** A message's subject: the original author and time, since RT takes both from the call, and the key. */
export const messageSubject = (
  { author, createdAt }: { readonly author: Who | null; readonly createdAt: string | null },
  key: string,
  what = "",
): string => {
  const parts = [
    author ? personLine(author) : null,
    createdAt ? momentLine(createdAt) : null,
    what,
    markerOf(key),
  ];
  return parts.filter(Boolean).join(" · ");
};
