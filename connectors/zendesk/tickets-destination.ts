import {
  type DestinationStream,
  hasOthers,
  helpdesk,
  inChunks,
  inDoubt,
  keyAtEnd,
  keyDiffers,
  type Made,
  mayDiffer,
  notHeld,
  originLine,
  othersAdded,
  type Outcome,
  ownValue,
  pickByWord,
  recordStream,
  rejected,
  removed,
  type Removed,
  strangeFields,
  type Who,
  type Write,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { api, askAll, askByIds, change, numericIds } from "./ask.ts";
import { authorOf, newComment, type NewComment, upload } from "./comments-destination.ts";
import type { Attachment, Comment } from "./comments-source.ts";
import { customFieldsOf, heldValues, tagsOfValues } from "./custom-fields.ts";
import { ticketFieldSetup } from "./field-setup.ts";
import { awaitJobsBefore, runJob } from "./jobs.ts";
import { saidOf } from "./said.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";
import { htmlOf, keyOf, settable, tagsOf, withKey, withoutKey } from "./texts.ts";
import { kinds, type Ticket, ticketRow, ticketsById, type TicketRow, toTicket } from "./tickets-source.ts";

const statuses = Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
const priorities = ["low", "normal", "high", "urgent"] as const;
const types = ["problem", "incident", "question", "task"];

const idOf = (who: Who | null) => (who?.id ? Number(who.id) : null);
const numberOf = (id: string | null) => (id === null ? null : Number(id));

const ticketFields = customFieldsOf("ticket_fields");

/** What Zendesk holds of a ticket, in its form. */
const fieldsOf = async (io: ZendeskIo, record: Ticket) => {
  const values = heldValues(await ticketFields(io), record);
  const type = types.find((each) => each === record.type?.toLowerCase()) ?? null;
  const requester = idOf(record.requester) ?? idOf(record.author);
  return {
    subject: record.subject,
    status: pickByWord(statuses, record.status, ({ kind }) => kind === record.statusKind)?.name ?? "open",
    priority:
      priorities.find((each) => each === record.priority?.toLowerCase()) ?? record.priorityKind ?? null,
    type,
    // The import's own account stands for unknown people, so that no other person seems to have asked.
    requester_id: requester ?? (await authorOf(io, null)),
    assignee_id: idOf(record.assignee),
    group_id: numberOf(record.groupId),
    organization_id: numberOf(record.organizationId),
    collaborator_ids: [...new Set(record.followers.map(({ id }) => Number(id)))],
    // Tags of chosen options are tags of the ticket: without them Zendesk would clear the choice.
    tags: [...new Set([...tagsOf(record.tags), ...(await tagsOfValues(io, values))])],
    custom_fields: Object.entries(values).map(([id, value]) => ({ id: Number(id), value })),
    // Only tasks have one.
    due_at: type === "task" ? record.dueAt : null,
  };
};

type Fields = Awaited<ReturnType<typeof fieldsOf>>;

/** What Zendesk can't hold of a ticket, for its first comment. */
const lineOf = (record: Ticket, { due_at: dueAt, custom_fields: held, type }: Fields): string => {
  const { author, requester, assignee, createdAt } = record;
  const unknown = (who: Who | null) => (who?.id ? null : who);
  return originLine({
    author: unknown(author),
    createdAt: createdAt === null || settable(createdAt) === createdAt ? null : createdAt,
    also: {
      Requester: unknown(requester),
      Assignee: unknown(assignee),
      Type: type === null ? record.type : null,
      Due: dueAt === null ? record.dueAt : null,
      Channel: record.channel,
    },
    customFields: strangeFields(
      record,
      held.map(({ id }) => String(id)),
    ),
  });
};

/** A copy, with the HTML of its first comment if that is known already. */
type CopyRow = TicketRow & { readonly first?: string };

interface Draft {
  readonly ticket: object;
  /** As Zendesk would show it. */
  readonly shown: Omit<CopyRow, "id">;
}

/** A new ticket with all that comes with it. Its text is the first comment, which has the ticket's key. */
const draftTicket = async (io: ZendeskIo, write: Write<Ticket>): Promise<Draft> => {
  const { key, record, parts = {} } = write;
  const comments = (parts["comments"] ?? []) as readonly Write<Comment>[];
  const attachments = (parts["attachments"] ?? []) as readonly Write<Attachment>[];
  const filesOf = (stream: string, parent: string) =>
    attachments.filter((each) => each.record.parent.stream === stream && each.record.parent.id === parent);
  const fields = await fieldsOf(io, record);
  const line = lineOf(record, fields);
  const own = await upload(io, filesOf("tickets", key), "t");
  const text = record.description === null ? "" : htmlOf(record.description);
  const first = withKey(text, line, key, own.files);
  const said: NewComment[] = [];
  // Zendesk has no ticket without a comment.
  if (text !== "" || line !== "" || own.tokens.length > 0 || comments.length === 0)
    said.push({
      author_id: await authorOf(io, record.author ?? record.requester),
      html_body: first,
      public: text !== "" && record.visibility === "public",
      ...(record.createdAt === null ? {} : { created_at: settable(record.createdAt) }),
      ...(own.tokens.length > 0 ? { uploads: own.tokens } : {}),
    });
  for (const comment of comments)
    said.push(await newComment(io, comment, await upload(io, filesOf("comments", comment.key), "c")));
  const { createdAt, updatedAt, solvedAt } = record;
  const ticket = {
    ...fields,
    external_id: key,
    submitter_id: await authorOf(io, record.author),
    ...(createdAt === null ? {} : { created_at: settable(createdAt) }),
  };
  const dates = {
    ...(updatedAt === null ? {} : { updated_at: settable(updatedAt) }),
    ...(solvedAt === null ? {} : { solved_at: settable(solvedAt) }),
  };
  return {
    ticket: { ...ticket, ...dates, comments: said },
    shown: { ...ticket, first: text === "" ? "" : first },
  };
};

const importTickets = async (
  io: ZendeskIo,
  drafts: readonly Draft[],
): Promise<readonly (Made<Ticket, CopyRow> | Outcome<Ticket> | undefined)[]> => {
  const results = await runJob(io, {
    url: api("imports/tickets/create_many"),
    method: "POST",
    json: { tickets: drafts.map(({ ticket }) => ticket) },
  });
  return drafts.map(({ shown }, index) => {
    const { id, error, details = "Zendesk did not accept the ticket." } = results.get(index) ?? {};
    if (error !== undefined) return rejected("rejected", details.slice(0, 500));
    const row = id === undefined ? undefined : { ...shown, id };
    return row && { row, sent: row };
  });
};

/** Whether the first comment is the ticket's text, and says more than what Zendesk can't hold. */
const hasText = ({ description, external_id: key }: CopyRow) =>
  key !== null &&
  key !== undefined &&
  keyAtEnd(description) === key &&
  !/^\s*Imported\. [^\n]*$/.test(description ?? "");

const shownTicket = async (row: CopyRow, io: ZendeskIo): Promise<Ticket> => {
  const record = (await toTicket(row, io)) as Ticket;
  const html = row.first ?? (hasText(row) ? ((await saidOf(io, row.id))[0]?.row.html_body ?? "") : "");
  const text = withoutKey(html);
  return { ...record, description: text === "" ? null : { format: "html", text, references: [] } };
};

const sameSet = (a: readonly unknown[], b: readonly unknown[]) =>
  JSON.stringify(a.map((each) => JSON.stringify(each)).toSorted()) ===
  JSON.stringify(b.map((each) => JSON.stringify(each)).toSorted());

/** The fields in which a copy differs from what it should be. */
const differing = (row: TicketRow, fields: Fields): Partial<Fields> => {
  const { custom_fields: values, ...others } = fields;
  // Zendesk writes numbers as texts.
  const now = new Map((row.custom_fields ?? []).map(({ id, value }) => [id, JSON.stringify(value)]));
  const isHeld = (id: number, value: unknown) =>
    [JSON.stringify(value), JSON.stringify(String(value))].includes(now.get(id) ?? "");
  const isChanged = ([name, value]: [string, unknown]) => {
    const has = row[name as keyof TicketRow] ?? null;
    if (Array.isArray(value)) return !sameSet(value, Array.isArray(has) ? has : []);
    if (name === "due_at" && typeof has === "string") return Date.parse(has) !== Date.parse(String(value));
    return has !== value;
  };
  const changed = values.filter(({ id, value }) => !isHeld(id, value));
  return {
    ...Object.fromEntries(Object.entries(others).filter(isChanged)),
    ...(changed.length > 0 ? { custom_fields: changed } : {}),
  };
};

/** A ticket goes with all that was said on it, and each message with its files. Its own text is the first message. */
const isAnswered = async (io: ZendeskIo, { id }: TicketRow, key: string): Promise<boolean> => {
  const keys = (await saidOf(io, id)).map(({ row }) => keyOf(row.plain_body));
  return hasOthers(key, keys[0] === key ? keys.slice(1) : keys);
};

/** So few that little is said on a ticket between the look at it and its removal. */
const removedTogether = 25;

/** Deletes tickets, first as people do and then for good, by jobs. */
const removeTickets = async (
  io: ZendeskIo,
  what: readonly { readonly id: string; readonly key: string }[],
): Promise<readonly Removed[]> => {
  const keys = new Map(what.map(({ id, key }) => [id, key]));
  const ids = numericIds(what.map(({ id }) => id));
  const live = async () => new Map((await askByIds(io, ticketsById, ids)).map((row) => [row.id, row]));
  const before = await live();
  const destroy = async (path: string, some: readonly number[]) => {
    for (const chunk of inChunks(some, 100))
      await runJob(io, { url: api(path), method: "DELETE", query: { ids: chunk.join(",") } });
  };
  const stays = new Map<number, Removed>();
  for (const rows of inChunks([...before.values()], removedTogether)) {
    await Promise.all(
      rows.map(async (row) => {
        const key = keys.get(String(row.id)) ?? "";
        if (row.external_id !== key) stays.set(row.id, keyDiffers(row.external_id));
        else if (await isAnswered(io, row, key)) stays.set(row.id, othersAdded);
      }),
    );
    const free = rows.map(({ id }) => id).filter((id) => !stays.has(id));
    await destroy("tickets/destroy_many", free);
  }
  // Also those that an earlier attempt, or a person, has deleted: Zendesk never issues a number twice.
  const after = await live();
  await destroy(
    "deleted_tickets/destroy_many",
    ids.filter((id) => !after.has(id)),
  );
  return what.map(({ id }) => {
    const reason = stays.get(Number(id));
    if (reason) return reason;
    return after.has(Number(id))
      ? { kind: "unknown", why: "Zendesk has not deleted the ticket yet." }
      : removed;
  });
};

const known = "The person is not among Zendesk's, or has another role there; the first comment names them.";

/** Not `silent`: imports run no triggers, but the changes of a later run do. */
const tickets: DestinationStream<Ticket, ZendeskSettings> = {
  ...recordStream<Ticket, CopyRow, ZendeskSettings>({
    stream: helpdesk.tickets,
    batchSize: 100,
    guarantees: ["backdates", "keeps-author"],
    takes: { streams: ["comments", "attachments"], atMost: 1_000 },
    holds: {
      createdAt: mayDiffer("Zendesk's tickets have dates from 1970 until now."),
      tags: mayDiffer("Zendesk's tags are words in lower case."),
      customFields: mayDiffer("Zendesk has no such field or option; the first comment names the value."),
      description: mayDiffer(
        "The text is the first comment: HTML of at most 64 KB, which stays as it was written.",
      ),
      status: mayDiffer("Zendesk has its own statuses."),
      statusKind: mayDiffer("Zendesk has its own statuses."),
      priority: mayDiffer("Zendesk has its own priorities."),
      priorityKind: mayDiffer("Zendesk has its own priorities."),
      type: mayDiffer(
        "Zendesk's types are problem, incident, question and task; the first comment names others.",
      ),
      author: mayDiffer(known),
      requester: mayDiffer(known),
      assignee: mayDiffer(known),
      followers: mayDiffer(known),
      dueAt: mayDiffer("Only tasks have a due date in Zendesk; the first comment names it."),
      channel: ownValue("Zendesk sets it itself; the first comment names the original one."),
      solvedAt: notHeld("Zendesk shows it in its reports alone."),
      visibility: ownValue("A ticket is public in Zendesk if one of its comments is."),
    },
    // It changes with the comments that become private.
    volatileFields: ["visibility"],
    // `/tickets?external_id=` and never the search, which lags. The key is not unique there: the engine's rules see to that.
    key: {
      kind: "field",
      of: ({ external_id: key }) => key ?? null,
      async find(io, keys) {
        await awaitJobsBefore(io);
        const list = { path: "tickets", name: "tickets", row: ticketRow };
        const found = keys.map((key) => askAll(io, { ...list, query: { external_id: key } }));
        return (await Promise.all(found)).flat();
      },
    },
    id: ({ id }) => String(id),
    byIds: (io, ids) => askByIds(io, ticketsById, numericIds(ids)),
    toRecord: shownTicket,
    together: {
      atMost: 100,
      draft: draftTicket,
      send: (io, drafts) => importTickets(io, drafts as readonly Draft[]),
    },
    async change(io, { record }, row) {
      const fields = await fieldsOf(io, record);
      const changed = differing(row, fields);
      const sent = { ...row, ...fields };
      if (Object.keys(changed).length === 0) return { row, sent };
      if (row.status === "closed")
        return rejected("not_changeable", "Zendesk does not let a closed ticket be changed.");
      const list = { path: `tickets/${row.id}`, name: "ticket", row: ticketRow };
      const now = await change(io, list, changed, { class: "update" });
      return now ? { row: now, sent: { ...now, ...fields } } : inDoubt("Zendesk does not show the ticket.");
    },
  }),
  remove: removeTickets,
  undoNote:
    "A ticket stays if a message on it is not from an import. Side conversations are not looked at: they go with their ticket.",
  customFields: ticketFields,
  options: async () => ({
    status: statuses.map(({ name, kind }) => ({ value: name, label: name, kind })),
    priority: priorities.map((name) => ({ value: name, label: name, kind: name })),
    type: types.map((name) => ({ value: name, label: name })),
  }),
  fieldSetup: ticketFieldSetup,
  urlOf: urlOf("tickets"),
};

export const ticketsDestination: DestinationStream<Ticket, ZendeskSettings> = {
  ...tickets,
  /** A job does not show what it made, and to read each ticket's text takes longer than a write may: the engine reads it later. */
  async write(io, batch) {
    const outcomes = await tickets.write(io, batch);
    return outcomes.map((outcome, index) => {
      if (outcome.kind !== "written" || batch[index]?.id !== null) return outcome;
      const { record: _, ...withoutRecord } = outcome;
      return withoutRecord;
    });
  },
};
