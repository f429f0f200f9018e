import {
  type FamilyRecord,
  helpdesk,
  type HttpRequest,
  type Io,
  keysetPager,
  listStream,
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
  return listStream<R, T, Settings>({
    stream,
    delta: true,
    pages: (rows) =>
      keysetPager({
        ...rows,
        size: 100,
        fetch: (io, { since }, { after, size }) => list(io, { after, size, since: since?.toISOString() }),
      }),
    key: ({ id }) => Number(id),
    toRecord,
    byIds: (io, ids) => list(io, { id: ids }),
  });
};

export const ticketSource = sourceOf(helpdesk.tickets, ticketRow, toTicket);
export const commentSource = sourceOf(helpdesk.comments, commentRow, toComment);
