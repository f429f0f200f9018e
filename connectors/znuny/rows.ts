import { z } from "zod";

/** Znuny writes numbers as texts or numbers, whichever its Perl has at hand, and nothing as null or "". */
const number = z.coerce.number();
const key = z.coerce.string();
const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === null || value === undefined || value === "" ? null : String(value)));

const dynamicFields = z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]);
export type DynamicFields = z.output<typeof dynamicFields>;

const fileRow = z.object({
  FileID: key,
  Filename: z.string(),
  ContentType: text,
  FilesizeRaw: number.catch(0),
  ContentID: text,
  Disposition: text,
  /** Base64; empty if the contents were not asked for. */
  Content: text,
});
export type FileRow = z.output<typeof fileRow>;

const articleRow = z.object({
  ArticleID: number,
  CreateTime: z.string(),
  CreateBy: key,
  From: text,
  To: text,
  Cc: text,
  Subject: text,
  Body: text,
  SenderType: z.string(),
  IsVisibleForCustomer: number.catch(0),
  CommunicationChannelID: number.catch(0),
  DynamicField: dynamicFields,
  Attachment: z.array(fileRow).default([]),
});
export type ArticleRow = z.output<typeof articleRow>;

export const ticketRow = z.object({
  TicketID: number,
  TicketNumber: key,
  Title: text,
  Queue: z.string(),
  QueueID: key,
  State: z.string(),
  StateType: z.string(),
  Priority: text,
  PriorityID: number.catch(0),
  Type: text,
  Service: text,
  SLA: text,
  Owner: text,
  OwnerID: key,
  Responsible: text,
  ResponsibleID: key,
  CustomerUserID: text,
  CustomerID: text,
  CreateBy: key,
  Created: z.string(),
  Changed: z.string(),
  /** Seconds since it was created. */
  Age: number.nullish(),
  /** Of a pending ticket: until when, in seconds since 1970. */
  RealTillTimeNotUsed: number.catch(0),
  DynamicField: dynamicFields,
  Article: z.array(articleRow).default([]),
});
export type TicketRow = z.output<typeof ticketRow>;
