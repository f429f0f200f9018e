import { markerOf } from "./marker.ts";

/**
 * RT can't add a file to a message that is there, nor change a message. So a file comes in a message of its own,
 * whose subject says to which it belongs; reading puts it back there. What Portage itself notes is marked alike.
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
