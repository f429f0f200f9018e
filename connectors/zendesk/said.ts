import { hasStatus, once, recover } from "@portage/connector-kit";
import { z } from "zod";
import { askAll } from "./ask.ts";
import type { ZendeskIo } from "./settings.ts";

export const attachmentRow = z.object({
  id: z.number(),
  file_name: z.string(),
  content_url: z.string(),
  content_type: z.string().nullish(),
  size: z.number().nullish(),
  inline: z.boolean().nullish(),
  deleted: z.boolean().nullish(),
  malware_scan_result: z.string().nullish(),
  malware_access_override: z.boolean().nullish(),
});

export const commentRow = z.object({
  id: z.number(),
  /** In a list, and in an export. */
  type: z.string().nullish(),
  event_type: z.string().nullish(),
  author_id: z.number().nullish(),
  html_body: z.string().nullish(),
  body: z.string().nullish(),
  plain_body: z.string().nullish(),
  public: z.boolean().nullish(),
  created_at: z.string().nullish(),
  attachments: z.array(attachmentRow).nullish(),
});

/** A comment's type if it is a call. */
export const call = "VoiceComment";

export interface Said {
  readonly ticketId: number;
  readonly row: z.infer<typeof commentRow>;
  readonly at: string;
  /** In Unix seconds. */
  readonly second: number;
}

/** Zendesk finds a comment only by its ticket, and who wrote a file only by its comment. */
export const commentId = ({ ticketId, row }: Said) => `${ticketId}-${row.id}`;
export const attachmentId = (said: Said, { id }: { readonly id: number }) => `${commentId(said)}-${id}`;

/** The comments of one ticket as they are now; none if it is gone. */
export const askSaid = async (io: ZendeskIo, ticketId: number): Promise<readonly Said[]> => {
  const list = {
    path: `tickets/${ticketId}/comments`,
    name: "comments",
    row: commentRow,
    query: { include_inline_images: true },
  };
  const rows = await recover(askAll(io, list), hasStatus(404), () => []);
  return rows.map((row) => ({ ticketId, row, at: row.created_at ?? "", second: 0 }));
};

/** The same, asked once in a step. */
export const saidOf = once(askSaid);

export const saidOfTickets = async (io: ZendeskIo, ids: readonly string[]): Promise<readonly Said[]> => {
  const tickets = new Set(ids.flatMap((id) => /^([1-9]\d{0,14})(?:-|$)/.exec(id)?.[1] ?? []));
  return (await Promise.all([...tickets].map((id) => saidOf(io, Number(id))))).flat();
};

export const filesOf = ({ row }: Said) => (row.attachments ?? []).filter(({ deleted }) => deleted !== true);
export type FileRow = ReturnType<typeof filesOf>[number];
