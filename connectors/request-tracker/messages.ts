import { inChunks } from "@portage/connector-kit";
import { z } from "zod";
import { askByField, askBySql, askOne, askWholeList } from "./ask.ts";
import { joinTexts, shownTexts } from "./message-texts.ts";
import { isText, partRow, type PartRow, subjectOf } from "./parts.ts";
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

const parentQuestion = {
  path: "attachments",
  row: z.object({ id: z.coerce.number(), Parent: z.object({ id: z.coerce.number() }) }),
  fields: ["Parent"],
};

/** The part that each part is in. Request Tracker fails when it is asked for that of one that is in none. */
const askParents = async (
  io: RtIo,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const lists = inChunks(transactionIds, 50).map((ids) =>
    askWholeList(io, {
      ...parentQuestion,
      limits: [
        ...ids.map((value) => ({ field: "TransactionId", value })),
        { field: "Parent", operator: ">", value: 0 },
      ],
    }),
  );
  return new Map((await Promise.all(lists)).flat().map(({ id, Parent }) => [id, Parent.id]));
};

/** The text of each event: all that a reader of the message sees. */
export const askMessages = async (
  io: RtIo,
  transactionIds: readonly number[],
): Promise<ReadonlyMap<number, Message>> => {
  const ofEach = Map.groupBy(await askParts(io, transactionIds), ({ TransactionId }) => TransactionId);
  // Only several texts can be alternatives of each other.
  const several = [...ofEach].filter(([, parts]) => parts.filter(isText).length > 1).map(([id]) => id);
  const parents = await askParents(io, several);
  const texts = new Map([...ofEach].map(([id, parts]) => [id, shownTexts(parts, parents)]));
  const contents = await askContents(
    io,
    [...texts.values()].flat().map(({ part }) => part),
  );
  return new Map(
    [...ofEach].map(([id, parts]) => {
      const subject = parts[0] ? subjectOf(parts[0]) : "";
      return [id, { subject, ...joinTexts(texts.get(id) ?? [], contents), parts }];
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
