import { shareAnswer } from "@portage/connector-kit";
import { z } from "zod";
import { rowsIn } from "./ask.ts";
import { askSince, type TimePage } from "./export.ts";
import { call, commentId, commentRow, filesOf, type Said } from "./said.ts";

/** A change of a ticket; each comment is a part of one. */
const eventRow = z.object({
  ticket_id: z.number(),
  timestamp: z.number(),
  created_at: z.string(),
  child_events: z.array(commentRow),
});

/** Something was done to comments of a ticket after they were written: made private, or a part of them removed. */
interface CommentsChanged extends Pick<Said, "ticketId" | "second"> {
  readonly changedBy: number;
}

export type CommentEvent = Said | CommentsChanged;

export const isChange = (event: CommentEvent): event is CommentsChanged => "changedBy" in event;
export const eventKey = (event: CommentEvent) =>
  isChange(event) ? `${event.ticketId}~${event.changedBy}` : commentId(event);

/** `CommentPrivacyChange`, `CommentRedactionEvent`, `AttachmentRedactionEvent`, and what else Zendesk may redact. */
const changesComments = /PrivacyChange|Redaction/;

const eventsIn = ({ ticket_id: ticketId, timestamp, created_at, child_events }: z.infer<typeof eventRow>) =>
  child_events.flatMap((row): readonly CommentEvent[] => {
    const { event_type: type, id } = row;
    if (type === "Comment" || type === call)
      return [{ ticketId, row, at: row.created_at ?? created_at, second: timestamp }];
    return changesComments.test(type ?? "") ? [{ ticketId, second: timestamp, changedBy: id }] : [];
  });

/** Of the changes of one ticket the last one will do: its comments are then read as they are. */
const withoutEarlier = (events: readonly CommentEvent[]): readonly CommentEvent[] => {
  const last = new Map(events.filter(isChange).map((change) => [change.ticketId, change]));
  return events.filter((event) => !isChange(event) || last.get(event.ticketId) === event);
};

const loadEvents = askSince<CommentEvent>(
  "ticket_events",
  (answer) => withoutEarlier(rowsIn(answer, "ticket_events", eventRow).flatMap(eventsIn)),
  { include: "comment_events" },
);

// Without texts, and without links that end.
const withFilesAlone = (event: CommentEvent): readonly CommentEvent[] => {
  if (isChange(event)) return [event];
  const attachments = filesOf(event).map((file) => ({ ...file, content_url: "" }));
  const { id, author_id } = event.row;
  return attachments.length === 0 ? [] : [{ ...event, row: { id, author_id, attachments } }];
};

/** The last page is asked for again: it ends where the export was then. */
export const askEvents = shareAnswer("ticket_events", {
  load: loadEvents,
  parts: {
    comments: (page: TimePage<CommentEvent>) => page,
    attachments: ({ rows, ...page }: TimePage<CommentEvent>): TimePage<CommentEvent> => ({
      ...page,
      rows: rows.flatMap(withFilesAlone),
    }),
  },
  mayKeep: ({ ended }) => !ended,
});
