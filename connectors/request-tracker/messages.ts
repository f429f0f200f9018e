import { z } from "zod";
import { askByField, askBySql, askOne } from "./ask.ts";
import { personFields, personRow } from "./people.ts";
import type { RtIo } from "./settings.ts";

/** An event in a ticket's history. */
export const transactionRow = z.object({
  id: z.coerce.number(),
  Type: z.string(),
  ObjectId: z.coerce.string(),
  Created: z.string().nullish(),
  Creator: personRow.nullish(),
});
export type TransactionRow = z.infer<typeof transactionRow>;

export const ofTickets = "ObjectType = 'RT::Ticket'";

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

export const isEnvelope = ({ ContentType }: PartRow) => /^(multipart|message)\//i.test(ContentType);
export const isFile = (part: PartRow) =>
  !isEnvelope(part) &&
  (part.Filename ? true : !/^text\/(plain|html)$/i.test(part.ContentType) && part.ContentLength > 0);
const isText = (part: PartRow) => !part.Filename && /^text\/(plain|html)$/i.test(part.ContentType);

export interface Message {
  /** Of the envelope: our own word is in it. */
  readonly subject: string;
  readonly format: "plain" | "html";
  readonly text: string;
  readonly parts: readonly PartRow[];
}

export const partQuestion = { path: "attachments", row: partRow, fields: Object.keys(partRow.shape) };

/** The parts of messages, without their content. */
export const askParts = (io: RtIo, transactionIds: readonly number[]): Promise<readonly PartRow[]> =>
  askByField(io, partQuestion, "TransactionId", transactionIds);

const contentRow = z.object({ id: z.coerce.number(), Content: z.string().nullish() });

const askContents = async (io: RtIo, parts: readonly PartRow[]): Promise<ReadonlyMap<number, string>> => {
  const question = { path: "attachments", row: contentRow, fields: ["Content"] };
  const rows = await askByField(
    io,
    question,
    "id",
    parts.map(({ id }) => id),
  );
  return new Map(rows.map(({ id, Content }) => [id, Content ?? ""]));
};

/** The text of each event: HTML if there is any, else plain text. */
export const askMessages = async (
  io: RtIo,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, Message>> => {
  const parts = await askParts(io, transactionIds);
  const ofEach = Map.groupBy(parts, ({ TransactionId }) => TransactionId);
  const bodies = new Map(
    [...ofEach].map(([id, own]) => {
      const texts = own.filter(isText);
      return [id, texts.find(({ ContentType }) => /html/i.test(ContentType)) ?? texts[0]] as const;
    }),
  );
  const contents = await askContents(
    io,
    [...bodies.values()].filter((part) => part !== undefined),
  );
  return new Map(
    [...ofEach].map(([id, own]) => {
      const body = bodies.get(id);
      return [
        id,
        {
          subject: own[0] ? subjectOf(own[0]) : "",
          format: body && /html/i.test(body.ContentType) ? "html" : "plain",
          text: (body && contents.get(body.id)) ?? "",
          parts: own,
        },
      ];
    }),
  );
};

export const transactionQuestion = {
  path: "transactions",
  row: transactionRow,
  fields: Object.keys(transactionRow.shape),
  nested: { Creator: personFields },
};

export const askTransactions = (io: RtIo, ids: readonly number[]): Promise<readonly TransactionRow[]> =>
  askBySql(io, { ...transactionQuestion, sql: ofTickets }, "id", ids);

const idRow = z.object({ id: z.coerce.string() });
const effectiveRow = idRow.extend({ Status: z.string() });

/**
 * The current ticket of each id: itself, the ticket that it was merged into, or none if it was deleted. A search finds
 * only tickets of the first kind.
 */
export const askEffective = async (
  io: RtIo,
  ticketIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  const ids = [...new Set(ticketIds)];
  const question = { path: "tickets", row: idRow, fields: ["id"] };
  const found = new Set((await askBySql(io, question, "id", ids.map(Number))).map(({ id }) => id));
  const others = await Promise.all(
    ids
      .filter((id) => !found.has(id))
      .map(async (id) => {
        const row = await askOne(io, `ticket/${id}`, effectiveRow);
        return [id, row && row.Status !== "deleted" ? row.id : null] as const;
      }),
  );
  return new Map<string, string | null>([...[...found].map((id) => [id, id] as const), ...others]);
};
