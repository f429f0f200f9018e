import {
  type FamilyRecord,
  helpdesk,
  type HttpRequest,
  type Io,
  keysetPager,
  type SourceStream,
} from "@portage/connector-kit";
import { z } from "zod";
import { commentRow, ticketRow, toComment, toTicket } from "./records.ts";
import type { Settings } from "./manifest.ts";

/** The tool lists this stream by id, so deleted or changed rows don't shift other rows. */
const sourceOf = <R extends { readonly id: string }, T extends FamilyRecord>(
  stream: SourceStream<T>["stream"],
  row: z.ZodType<R>,
  toRecord: (row: R) => T,
): SourceStream<T, Settings> => {
  const answer = z.object({ rows: z.array(row) });
  const list = async ({ http }: Io<Settings>, query: NonNullable<HttpRequest["query"]>) =>
    (await http.send({ url: `rows/${stream.name}`, query })).json(answer).rows;
  return {
    stream,
    delta: true,
    readPage: keysetPager<R, T, Settings>({
      size: 100,
      key: ({ id }) => Number(id),
      toRecord,
      fetch: (io, { since }, { after, size }) => list(io, { after, size, since: since?.toISOString() }),
    }),
    readByIds: async (io, ids) => (ids.length === 0 ? [] : (await list(io, { id: ids })).map(toRecord)),
  };
};

export const ticketSource = sourceOf(helpdesk.tickets, ticketRow, toTicket);
export const commentSource = sourceOf(helpdesk.comments, commentRow, toComment);
