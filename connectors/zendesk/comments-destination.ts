import {
  type DestinationStream,
  type FieldChange,
  helpdesk,
  type HttpRequest,
  inDoubt,
  isRefusal,
  type Made,
  mayDiffer,
  notHeld,
  once,
  originLine,
  type Outcome,
  ownValue,
  recordStream,
  recover,
  rejected,
  type RichText,
  type Write,
} from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";
import { z } from "zod";
import { api, askByIds, change, tell } from "./ask.ts";
import { type Attachment, attachmentOf, type Comment, commentOf, openCopy } from "./comments-source.ts";
import { attachmentId, commentId, type FileRow, filesOf, type Said, saidOf, saidOfTickets } from "./said.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";
import {
  fileDigest,
  filesNamed,
  type HeldFile,
  htmlOf,
  keyOf,
  settable,
  withKey,
  withoutKey,
} from "./texts.ts";
import { ticketRow, ticketsById } from "./tickets-source.ts";

/** A comment as an import or a change of its ticket takes it. */
export interface NewComment {
  readonly author_id: number;
  readonly html_body: string;
  readonly public: boolean;
  readonly created_at?: string;
  readonly uploads?: readonly string[];
}

const askMyId = once(async (io: ZendeskIo) => {
  const me = z.object({ user: z.object({ id: z.number() }) });
  return (await io.http.send({ url: api("users/me") })).json(me).user.id;
});

/** The person who is named; else the import's own account, so that no other person seems to have said it. */
export const authorOf = async (io: ZendeskIo, author: Comment["author"]): Promise<number> =>
  author?.id ? Number(author.id) : askMyId(io);

export interface Uploaded {
  readonly tokens: readonly string[];
  readonly files: readonly HeldFile[];
}

const uploadRow = z.object({
  upload: z.object({ token: z.string(), attachment: z.object({ id: z.number() }) }),
});

const uploadOne = async (io: ZendeskIo, { record, file }: Write<Attachment>) => {
  if (!file) return null;
  const { fileName: name, contentType } = record;
  const request: HttpRequest = {
    url: api("uploads"),
    method: "POST",
    query: { filename: name },
    file: { ...file, name, contentType },
    // It is nothing until a comment attaches it.
    auxiliary: true,
    idempotent: true,
  };
  return (await io.http.send(request)).json(uploadRow).upload;
};

/** Uploads the files of a comment. One that Zendesk refuses is left out: its own stream reports it. */
export const upload = async (
  io: ZendeskIo,
  writes: readonly Write<Attachment>[],
  place: HeldFile["place"],
): Promise<Uploaded> => {
  const tokens: string[] = [];
  const files: HeldFile[] = [];
  for (const write of writes) {
    const uploaded = await recover(uploadOne(io, write), isRefusal, () => null);
    if (!uploaded) continue;
    tokens.push(uploaded.token);
    files.push({ key: write.key, attachmentId: uploaded.attachment.id, place });
  }
  return { tokens, files };
};

/** A comment that comes with its ticket, which keeps its date, its author and its silence. */
export const newComment = async (
  io: ZendeskIo,
  { key, record }: Write<Comment>,
  { tokens, files }: Uploaded,
): Promise<NewComment> => {
  const { author, createdAt, body, visibility } = record;
  const line = originLine({
    author: author?.id ? null : author,
    createdAt: createdAt === null || settable(createdAt) === createdAt ? null : createdAt,
  });
  return {
    author_id: await authorOf(io, author),
    html_body: withKey(htmlOf(body), line, key, files),
    public: visibility === "public",
    ...(createdAt === null ? {} : { created_at: settable(createdAt) }),
    ...(tokens.length > 0 ? { uploads: tokens } : {}),
  };
};

/**
 * Adds a comment to a ticket that is there already: a change of the ticket, which runs triggers and would mail a public comment
 * to customers. So it is an internal note, which says what it was.
 */
const addNote = async (
  io: ZendeskIo,
  ticketId: number,
  key: string,
  comment: NewComment,
): Promise<Said | Outcome<never>> => {
  const [there] = await askByIds(io, ticketsById, [ticketId]);
  if (there?.status === "closed")
    return rejected(
      "ticket_closed",
      "Its ticket is closed in Zendesk, which adds nothing to a closed ticket.",
    );
  const ticket = { path: `tickets/${ticketId}`, name: "ticket", row: ticketRow };
  await change(
    io,
    ticket,
    { comment: { ...comment, public: false } },
    { class: "update", idempotent: false },
  );
  saidOf.forget(io, ticketId);
  const made = (await saidOf(io, ticketId)).find(({ row }) => keyOf(row.plain_body) === key);
  return made ?? inDoubt("Zendesk took the comment but does not show it.");
};

const ticketIdOf = (id: string): number => Number(/^\d+/.exec(id)?.[0] ?? 0);

const late =
  "It came after its ticket: Zendesk dates such a comment by its arrival, and the text names the original time.";
const internal =
  "It came after its ticket: a public comment would be mailed to customers, so it became an internal note.";

const wordsOf = (body: RichText) => convertRichText(body, "plain").text;

/** The comment of a copy without what the import added. */
const shownComment = async (said: Said, io: ZendeskIo): Promise<Comment> =>
  commentOf(
    { ...said, row: { ...said.row, html_body: withoutKey(said.row.html_body ?? "") || "<p></p>" } },
    io,
  );

const recordSent = (record: Comment): Partial<Comment> => ({
  body: { format: "html", text: htmlOf(record.body) || "<p></p>", references: [] },
});

/** The one thing about a comment that Zendesk changes. */
const makePrivate = async (io: ZendeskIo, { ticketId, row }: Said): Promise<void> => {
  await tell(io, {
    url: api(`tickets/${ticketId}/comments/${row.id}/make_private`),
    method: "PUT",
    class: "update",
  });
  saidOf.forget(io, ticketId);
};

/** Not `silent`: a comment that comes after its ticket runs triggers, which may notify agents. */
export const commentsDestination: DestinationStream<Comment, ZendeskSettings> = recordStream<
  Comment,
  Said,
  ZendeskSettings
>({
  stream: helpdesk.comments,
  guarantees: ["backdates", "keeps-author"],
  holds: {
    updatedAt: notHeld("Comments don't change in Zendesk."),
    tags: notHeld("Zendesk's comments have no tags."),
    customFields: notHeld("Zendesk's comments have no fields."),
    body: mayDiffer("Zendesk's comments are HTML of at most 64 KB."),
    createdAt: mayDiffer("Zendesk's comments have dates from 1970 until now."),
    author: mayDiffer("The author is not among Zendesk's people; the text names them."),
  },
  key: {
    kind: "marker",
    of: ({ row }) => keyOf(row.plain_body),
    list: (io, ticketId) => saidOf(io, ticketIdOf(ticketId)),
  },
  id: commentId,
  byIds: async (io, ids) => (await saidOfTickets(io, ids)).filter((said) => ids.includes(commentId(said))),
  toRecord: shownComment,
  sequence: ({ ticketId }) => ticketId,
  async create(io, { key, record }) {
    const { author, createdAt, visibility } = record;
    const line = originLine({
      author: author?.id ? null : author,
      createdAt,
      also: { Visibility: visibility === "public" ? "public" : null },
    });
    const made = await addNote(io, ticketIdOf(record.ticketId), key, {
      author_id: await authorOf(io, author),
      html_body: withKey(htmlOf(record.body), line, key),
      public: false,
    });
    if ("kind" in made) return made;
    const changes: FieldChange[] = [
      { field: "createdAt", change: "converted", why: late },
      ...(visibility === "public"
        ? [{ field: "visibility", change: "converted" as const, why: internal, becomes: "internal" }]
        : []),
    ];
    return { row: made, fields: recordSent(record), changes };
  },
  /**
   * Zendesk changes no comment, but makes a public one private. One that says what it should needs no change: it came with its
   * ticket, or without an answer.
   */
  async change(io, { record }, before) {
    const hides = record.visibility === "internal" && before.row.public === true;
    if (hides) await makePrivate(io, before);
    const row = hides ? { ...before, row: { ...before.row, public: false } } : before;
    const copy = await shownComment(row, io);
    if (wordsOf(copy.body) !== wordsOf({ ...record.body, ...recordSent(record).body }))
      return rejected("not_changeable", "Zendesk can't change a comment after it is written.");
    const changes: FieldChange[] = [];
    if (copy.visibility !== record.visibility)
      changes.push({ field: "visibility", change: "converted", why: internal, becomes: copy.visibility });
    if (record.createdAt !== null && copy.createdAt !== settable(record.createdAt))
      changes.push({ field: "createdAt", change: "converted", why: late, becomes: copy.createdAt });
    return { row, sent: row, changes };
  },
  // Whatever a person hides in a comment or removes from it, no change of ours brings back.
  isUntouched: () => true,
});

interface Held {
  readonly said: Said;
  readonly file: FileRow;
}

const heldIn = (all: readonly Said[]): readonly Held[] =>
  all.flatMap((said) => filesOf(said).map((file) => ({ said, file })));

const namedIn = ({ said, file }: Held) => filesNamed(said.row.plain_body).get(file.id);

const parentOf = (held: Held): Attachment["parent"] => {
  const { ticketId } = held.said;
  const place = namedIn(held)?.place ?? "c";
  if (place === "t") return { stream: "tickets", id: String(ticketId) };
  return { stream: "comments", id: place === "c" ? commentId(held.said) : `${ticketId}-${place}` };
};

const apart: FieldChange = {
  field: "parent",
  change: "converted",
  why: "Zendesk adds no file to a comment that is there: an internal note of its own holds it, and names the comment.",
};

export const attachmentsDestination: DestinationStream<Attachment, ZendeskSettings> = {
  ...recordStream<Attachment, Held, ZendeskSettings>({
    stream: helpdesk.attachments,
    parents: ["tickets", "comments"],
    batchSize: 8,
    guarantees: [],
    holds: {
      createdAt: ownValue("Zendesk dates a file as its comment."),
      author: ownValue("The author of a file is its comment's."),
      updatedAt: notHeld("Files don't change in Zendesk."),
      tags: notHeld("Zendesk's files have no tags."),
      customFields: notHeld("Zendesk's files have no fields."),
      description: notHeld("Zendesk's files have no captions."),
      inline: ownValue("Zendesk lists the files of an import below their comment."),
      size: mayDiffer("The old tool reported another size."),
    },
    key: {
      kind: "marker",
      digest: fileDigest,
      of: (held) => namedIn(held)?.digest ?? null,
      list: async (io, parentId) => heldIn(await saidOf(io, ticketIdOf(parentId))),
    },
    id: ({ said, file }) => attachmentId(said, file),
    byIds: async (io, ids) =>
      heldIn(await saidOfTickets(io, ids)).filter(({ said, file }) => ids.includes(attachmentId(said, file))),
    toRecord: async (held, io) => ({
      ...(await attachmentOf(held.said, held.file, io)),
      parent: parentOf(held),
    }),
    sequence: ({ parent }) => String(ticketIdOf(parent.id)),
    async create(io, write): Promise<Made<Attachment, Held> | Outcome<Attachment>> {
      const { key, record } = write;
      const uploaded = await uploadOne(io, write);
      if (!uploaded) return rejected("no_file", "There are no bytes to write.");
      const { stream, id } = record.parent;
      const place = stream === "tickets" ? "t" : Number(id.split("-")[1]);
      const line = originLine({ author: record.author, createdAt: record.createdAt });
      const made = await addNote(io, ticketIdOf(id), key, {
        author_id: await authorOf(io, null),
        html_body: withKey("", line, key, [{ key, attachmentId: uploaded.attachment.id, place }]),
        public: false,
        uploads: [uploaded.token],
      });
      if ("kind" in made) return made;
      const file = filesOf(made).find((each) => each.id === uploaded.attachment.id);
      if (!file) return inDoubt("Zendesk took the file but does not show it.");
      return {
        row: { said: made, file },
        sent: { said: made, file },
        ...(stream === "comments" ? { changes: [{ ...apart, becomes: record.parent }] } : {}),
      };
    },
    /** Zendesk changes no file; the one that is there came with its comment, or without an answer. */
    change: async (_, __, row) => ({ row, sent: row }),
  }),
  openFile: openCopy,
};
