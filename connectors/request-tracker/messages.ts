import { z } from "zod";
import { anyOf, askOne, askWholeList, inChunks } from "./ask.ts";
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

export const transactionFields = ["Type", "ObjectId", "Created", "Creator"];
export const transactionNested = { Creator: personFields };
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
export const partFields = ["TransactionId", "ContentType", "ContentLength", "Filename", "Subject", "Headers"];

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

/** The parts of messages, without their content. */
export const askParts = async (io: RtIo, transactionIds: readonly number[]): Promise<readonly PartRow[]> => {
  const chunks = inChunks([...new Set(transactionIds)], 50);
  const limits = (ids: readonly number[]) => ids.map((value) => ({ field: "TransactionId", value }));
  const all = chunks.map((ids) =>
    askWholeList(io, { path: "attachments", row: partRow, fields: partFields, limits: limits(ids) }),
  );
  return (await Promise.all(all)).flat();
};

const contentRow = z.object({ id: z.coerce.number(), Content: z.string().nullish() });

const askContents = async (io: RtIo, parts: readonly PartRow[]): Promise<ReadonlyMap<number, string>> => {
  const limits = (ids: readonly number[]) => ids.map((value) => ({ field: "id", value }));
  const chunks = inChunks(
    parts.map(({ id }) => id),
    50,
  );
  const rows = await Promise.all(
    chunks.map((ids) =>
      askWholeList(io, { path: "attachments", row: contentRow, fields: ["Content"], limits: limits(ids) }),
    ),
  );
  return new Map(rows.flat().map(({ id, Content }) => [id, Content ?? ""]));
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

export const askTransactions = async (
  io: RtIo,
  ids: readonly number[],
): Promise<readonly TransactionRow[]> => {
  const asked = inChunks([...new Set(ids)], 50).map((chunk) =>
    askWholeList(io, {
      path: "transactions",
      row: transactionRow,
      fields: transactionFields,
      nested: transactionNested,
      sql: `${ofTickets} AND ${anyOf("id", chunk)}`,
    }),
  );
  return (await Promise.all(asked)).flat();
};

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
  const chunks = inChunks(ids.map(Number), 50).map((chunk) =>
    askWholeList(io, { path: "tickets", row: idRow, fields: ["id"], sql: anyOf("id", chunk) }),
  );
  const found = new Set((await Promise.all(chunks)).flat().map(({ id }) => id));
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
