import { z } from "zod";

/** A part of a message: its envelope, a text, or a file. */
export const partRow = z.object({
  id: z.coerce.number(),
  TransactionId: z.coerce.number(),
  ContentType: z.string().catch("application/octet-stream"),
  ContentLength: z.coerce.number().catch(0),
  Filename: z.string().nullish(),
  Subject: z.string().nullish(),
  Headers: z.string().nullish(),
});
export type PartRow = z.infer<typeof partRow>;

export const headerOf = ({ Headers }: Pick<PartRow, "Headers">, name: string): string | null =>
  new RegExp(`^${name}:[ \\t]*(.*(?:\\n[ \\t].*)*)`, "im").exec(Headers ?? "")?.[1]?.replace(/\n\s*/g, " ") ??
  null;

/** A header as it was before it was folded. */
export const subjectOf = ({ Subject }: Pick<PartRow, "Subject">) =>
  (Subject ?? "").replace(/\n\s*/g, " ").trim();

/** It only holds other parts. A message in it that Request Tracker did not open is a file, as is a report about its delivery. */
export const isEnvelope = ({ ContentType, ContentLength }: PartRow) =>
  /^multipart\//i.test(ContentType) || (/^message\//i.test(ContentType) && ContentLength === 0);
export const isFile = (part: PartRow) =>
  !isEnvelope(part) &&
  (part.Filename ? true : !/^text\/(plain|html)$/i.test(part.ContentType) && part.ContentLength > 0);
export const isText = (part: PartRow) => !part.Filename && /^text\/(plain|html)$/i.test(part.ContentType);
