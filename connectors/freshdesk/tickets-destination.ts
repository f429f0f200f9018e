import {
  ConnectorError,
  checksumOf,
  type CustomValue,
  eachById,
  type FieldOption,
  helpdesk,
  lineOf,
  matchesChecksum,
  mayDiffer,
  notHeld,
  once,
  originLine,
  ownValue,
  pickByWord,
  recordStream,
  type RecordOf,
  rejected,
  splitOrigin,
  type Who,
  withOrigin,
  type Write,
} from "@portage/connector-kit";
import { askContact, askConversations, askFields, askKnown, askMe, askTicket } from "./ask.ts";
import { fieldSetup, ticketsSince } from "./field-setup.ts";
import { filesIn, keysOfFiles, withFiles } from "./file-keys.ts";
import { tagsDiffer, tagsFor } from "./people-destination.ts";
import {
  between,
  channels,
  customFieldsOf,
  keyLabel,
  partId,
  priorities,
  priorityKinds,
  statusesOf,
  ticketIdIn,
  toComment,
  toTicket,
} from "./records.ts";
import { type Conversation, conversationRow, type Field, type Ticket, ticketRow } from "./rows.ts";
import type { FreshdeskIo, Origins, Settings } from "./settings.ts";
import { addresses, conversationsById } from "./source.ts";
import { numberOf, removeAt, tell, tellWithout, toHtml } from "./tell.ts";

type TicketRecord = RecordOf<typeof helpdesk.tickets>;
type CommentRecord = RecordOf<typeof helpdesk.comments>;

const inText = "Freshdesk dates a record by its arrival; the end of the text names the original time.";
const times = { createdAt: ownValue(inText), updatedAt: ownValue("Freshdesk sets it itself.") };

/** The field that identifies a copy; `fieldSetup` creates it before the first write. */
const askKeyField = once(async (io: FreshdeskIo): Promise<string> => {
  const field = (await askFields(io)).find(({ label }) => label === keyLabel);
  if (field) return field.name;
  throw new ConnectorError({
    recovery: "abort",
    code: "missing_custom_field",
    message: `Freshdesk has no ticket field “${keyLabel}”. An administrator can add it (Admin, Ticket Fields): a single-line text that customers don't see.`,
  });
});

/** A value as the field takes it; undefined: it can't hold it. */
const fitting = ({ name, type, choices }: Field, value: CustomValue): Record<string, unknown> | undefined => {
  const is = (condition: boolean) => (condition ? { [name]: value } : undefined);
  if (type === "custom_checkbox") return is(typeof value === "boolean");
  if (type === "custom_number") return is(Number.isSafeInteger(value));
  // Freshdesk keeps two digits.
  if (type === "custom_decimal") return is(typeof value === "number" && Number(value.toFixed(2)) === value);
  if (typeof value !== "string") return undefined;
  if (type === "custom_date") return is(/^\d{4}-\d\d-\d\d$/.test(value));
  if (type === "custom_dropdown") return is(Array.isArray(choices) && choices.includes(value));
  if (type !== "nested_field") return { [name]: value };
  return Object.fromEntries(
    value.split(between).map((level, index) => [index === 0 ? name : `${name}_${index + 1}`, level]),
  );
};

/** Freshdesk would mail people about a ticket that came by mail, so it is one of the portal. */
const sourceFor = (channel: string | null): number => {
  const quiet = Object.entries(channels).find(([id, name]) => name === channel && Number(id) !== 15);
  return channel === "email" || !quiet ? 2 : Number(quiet[0]);
};

interface Known {
  readonly fields: readonly Field[];
  readonly keyField: string;
  readonly me: number;
}

/** What a change of a ticket leaves as it is. */
const stays = ({ requester_id, company_id, source }: Ticket) => ({ requester_id, company_id, source });

/** What a new ticket is made of, as Freshdesk would show it; or one that was there before. */
const draftTicket =
  ({ fields, keyField, me }: Known, { key, record }: Write<TicketRecord>, before?: Ticket) =>
  (without: ReadonlySet<string>) => {
    const may = <T>(name: string, value: T) => (without.has(name) ? null : value);
    const meaning = { new: "open", on_hold: "pending" } as Readonly<Record<string, string>>;
    const status = pickByWord(
      statusesOf(fields),
      record.status,
      ({ kind }) => kind === (meaning[record.statusKind] ?? record.statusKind),
    );
    const byWord = priorities.findIndex((word) => word !== null && word === record.priority);
    const byKind = priorityKinds.findIndex((kind) => kind !== null && kind === record.priorityKind);
    const types = fields.find(({ name }) => name === "ticket_type")?.choices;
    const type = Array.isArray(types) && types.includes(record.type) ? record.type : null;
    const taken = new Map(
      Object.entries(record.customFields).flatMap(([name, value]) => {
        const field = fields.find((each) => each.name === name && name !== keyField);
        const wire = field && value !== null && !without.has(name) ? fitting(field, value) : undefined;
        return wire ? [[name, wire] as const] : [];
      }),
    );
    const isPublic = record.visibility === "public";
    // Freshdesk shows a ticket to its requester and their company, so an internal one has neither.
    const mayBe = (who: Who | null) => (isPublic || who?.stream === "users" ? numberOf(who?.id) : null);
    const requester = mayBe(record.requester) ?? mayBe(record.author) ?? me;
    const source = sourceFor(record.channel);
    const row = {
      subject: record.subject || "(no subject)",
      status: status?.id ?? 2,
      priority: Math.max(byWord, byKind, 0) || 1,
      source,
      type: may("type", type),
      requester_id: may("requester_id", requester) ?? me,
      responder_id: may("responder_id", numberOf(record.assignee?.id)),
      group_id: may("group_id", numberOf(record.groupId)),
      company_id: isPublic ? may("company_id", numberOf(record.organizationId)) : null,
      tags: tagsFor(record.tags),
      custom_fields: Object.assign({ [keyField]: key }, ...taken.values()) as Record<string, unknown>,
    };
    const lost = (who: Who | null, id: number | null) => (who && numberOf(who.id) !== id ? who : null);
    const line = originLine({
      author: record.author,
      createdAt: record.createdAt,
      updatedAt: record.updatedAt,
      also: {
        Requester: lost(record.requester, row.requester_id),
        Assignee: lost(record.assignee, row.responder_id),
        Type: row.type === null ? record.type : null,
        Channel: channels[source] === record.channel ? null : record.channel,
        Due: record.dueAt,
        Solved: record.solvedAt,
        Visibility: isPublic ? null : "internal",
      },
      customFields: Object.fromEntries(
        Object.entries(record.customFields).filter(([name]) => !taken.has(name)),
      ),
    });
    const html = toHtml(record.description);
    const seal = checksumOf(key, html, sealed({ ...row, ...(before ? stays(before) : {}) }));
    return {
      ...row,
      description: withFiles(withOrigin(html, "html", line, key, seal), filesIn(before?.description)),
    };
  };

/** What copies of earlier releases are sealed with. */
const sealedOnce = (row: Partial<Ticket>) => [
  row.subject,
  row.status,
  row.priority,
  row.type ?? null,
  row.responder_id ?? null,
  row.group_id ?? null,
  (row.tags ?? []).toSorted(),
];

/** What a person may have changed in a copy. A checkbox that nobody filled in is false, any other field is null. */
const sealed = (row: Partial<Ticket>) => [
  ...sealedOnce(row),
  row.requester_id ?? null,
  row.company_id ?? null,
  row.source ?? null,
  Object.entries(row.custom_fields ?? {})
    .filter(([, value]) => value !== null && value !== "" && value !== false)
    .map(([name, value]) => [name, String(value)])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
];

const isUntouched = async (row: Ticket, io: FreshdeskIo): Promise<boolean> => {
  if (matchesChecksum(row.description, "html", sealed(row), sealedOnce(row))) return true;
  // A ticket that was sent without a company got that of its requester.
  const { requester_id: requester, company_id: company } = row;
  if (!requester || !company || (await askContact(io, requester))?.company_id !== company) return false;
  return matchesChecksum(row.description, "html", sealed({ ...row, company_id: null }));
};

const optionalFields = new Set(["type", "requester_id", "responder_id", "group_id", "company_id"]);
const isOptional = (field: string) => optionalFields.has(field) || field.startsWith("cf_");

const given = (draft: object) =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null));

const withoutLine = (html: string | null | undefined) => splitOrigin(html, "html")?.text ?? html ?? "";

const knownOf = async (io: FreshdeskIo): Promise<Known> => ({
  fields: await askFields(io),
  keyField: await askKeyField(io),
  me: (await askMe(io)).id,
});

const word = (value: string, kind?: string | null): FieldOption => ({
  value,
  label: value,
  ...(kind ? { kind } : {}),
});

export const ticketsDestination = (at: Origins) =>
  recordStream<TicketRecord, Ticket, Settings>({
    stream: helpdesk.tickets,
    batchSize: 25,
    // Whether Freshdesk mails the requester is a setting of the account that no API shows.
    guarantees: [],
    holds: {
      ...times,
      author: ownValue("A ticket of Freshdesk is by its requester; the end of the text names the author."),
      followers: notHeld("Freshdesk mails those who get copies."),
      dueAt: ownValue("Freshdesk computes it; the end of the text names the original one."),
      solvedAt: notHeld("Freshdesk does not take it; the end of the text names it."),
      visibility: ownValue(
        "Freshdesk has no internal tickets: the import's account requests it, so that no customer sees it.",
      ),
      subject: lineOf(255, "The subject of a ticket has at most 255 characters."),
      description: mayDiffer("Freshdesk holds HTML."),
      status: mayDiffer("Freshdesk has other words for a ticket's status."),
      statusKind: mayDiffer("Freshdesk has no such status."),
      priority: mayDiffer("Freshdesk has four priorities, and each ticket has one."),
      priorityKind: mayDiffer("Freshdesk has four priorities, and each ticket has one."),
      type: mayDiffer("Freshdesk has no such type; the end of the text names it."),
      requester: mayDiffer(
        "The person is not in Freshdesk, or may not see it; the end of the text names them.",
      ),
      assignee: mayDiffer("The person is no agent of Freshdesk; the end of the text names them."),
      groupId: mayDiffer("Freshdesk did not take the group."),
      organizationId: mayDiffer("Freshdesk takes only the company of the requester, who may see the ticket."),
      channel: mayDiffer("It became a ticket of the portal, which sends fewer mails."),
      tags: tagsDiffer,
      customFields: mayDiffer("The field does not take this value; the end of the text names it."),
    },
    ready: askKeyField,
    key: {
      kind: "scan",
      of: async ({ custom_fields: custom }, io) => {
        const key = custom?.[await askKeyField(io)];
        return typeof key === "string" ? key : null;
      },
      since: ticketsSince,
    },
    id: ({ id }) => String(id),
    byIds: eachById(askTicket),
    toRecord: (row, io) => toTicket(at, askKnown)({ ...row, description: withoutLine(row.description) }, io),
    async create(io, write) {
      const { answer, draft } = await tellWithout(
        io,
        isOptional,
        draftTicket(await knownOf(io), write),
        (json) => ({ url: "tickets", method: "POST", json: given(json), class: "new-ticket" }),
      );
      const row = answer.json(ticketRow);
      // Without a company a ticket gets that of its requester.
      const why = "Freshdesk gives a ticket the company of its requester.";
      const changes =
        draft.company_id === null ? [{ field: "organizationId", change: "converted" as const, why }] : [];
      return { row, sent: { ...row, ...draft }, changes };
    },
    async change(io, write, before) {
      const empty = Object.fromEntries(
        Object.keys(before.custom_fields ?? {})
          .filter((name) => (before.custom_fields?.[name] ?? null) !== null)
          .map((name) => [name, null]),
      );
      const known = await knownOf(io);
      const requester = await askKnown(io, before.requester_id);
      if (write.record.visibility === "internal" && requester?.stream === "contacts")
        return rejected("not_changeable", "Freshdesk shows the ticket to its requester.", "visibility");
      const { answer, draft } = await tellWithout(
        io,
        isOptional,
        draftTicket(known, write, before),
        ({ requester_id: _, company_id: __, source: ___, custom_fields: custom, ...json }) => ({
          url: `tickets/${before.id}`,
          method: "PUT",
          json: { ...json, custom_fields: { ...empty, ...custom } },
          class: "changed-ticket",
        }),
      );
      askTicket.forget(io, String(before.id));
      const row = answer.json(ticketRow);
      return { row, sent: { ...row, ...draft, ...stays(before) } };
    },
    isUntouched,
    /** Its files and notes, each note with its files. */
    async keysOn(io, { id, description, attachments }) {
      const notes = await askConversations(io, String(id));
      return [
        ...keysOfFiles(description, attachments),
        ...notes.flatMap((note) => [keyOfNote(note), ...keysOfFiles(note.body, note.attachments)]),
      ];
    },
    /** Freshdesk has no call that empties the trash: it does so itself, after 30 days. */
    remove: (io, { id }) => removeAt(io, `tickets/${id}`),
    undoNote:
      "A ticket stays if a message or a file on it is not from an import. Logged time and ratings are not looked at. What is removed is in Freshdesk's trash for 30 days.",
    customFields: customFieldsOf(askFields),
    fieldSetup,
    async options(io) {
      const fields = await askFields(io);
      const types = fields.find(({ name }) => name === "ticket_type")?.choices;
      return {
        status: statusesOf(fields).map(({ name, kind }) => word(name, kind)),
        priority: priorities.flatMap((name, index) => (name ? [word(name, priorityKinds[index])] : [])),
        type: Array.isArray(types) ? types.map((each) => word(String(each))) : [],
      };
    },
    urlOf: addresses.urlOf("tickets"),
  });

const draftNote =
  ({ key, record }: Write<CommentRecord>, me: number, files: readonly string[] = []) =>
  (without: ReadonlySet<string>) => {
    const html = toHtml(record.body);
    const isPrivate = record.visibility === "internal";
    const author = without.has("user_id") ? null : numberOf(record.author?.id);
    const body = withOrigin(html, "html", originLine(record), key, checksumOf(key, html, isPrivate));
    return {
      body: withFiles(body, files),
      private: isPrivate,
      incoming: !isPrivate && author !== null && record.author?.stream === "contacts",
      user_id: author ?? me,
    };
  };

const keyOfNote = ({ body }: Conversation) => splitOrigin(body, "html")?.key ?? null;

export const commentsDestination = (at: Origins) =>
  recordStream<CommentRecord, Conversation, Settings>({
    stream: helpdesk.comments,
    batchSize: 25,
    // A public note may mail the requester, as the account is set.
    guarantees: ["keeps-author"],
    holds: {
      ...times,
      tags: notHeld("Freshdesk's notes have no tags; the end of the text names them."),
      body: mayDiffer("Freshdesk holds HTML."),
      author: mayDiffer("The person is not in Freshdesk; the end of the text names them."),
      customFields: mayDiffer(
        "Freshdesk's notes have no custom fields; the end of the text holds the value.",
      ),
    },
    key: {
      kind: "marker",
      of: keyOfNote,
      list: askConversations,
    },
    id: ({ ticketId, id }) => partId(ticketId, id),
    byIds: conversationsById,
    toRecord: (row, io) => toComment(at, askKnown)({ ...row, body: withoutLine(row.body) }, io),
    /** A reply would be mailed to the requester: every message is a note. */
    async create(io, write) {
      const { ticketId } = write.record;
      const { answer, draft } = await tellWithout(
        io,
        (field) => field === "user_id" || field === "incoming",
        draftNote(write, (await askMe(io)).id),
        (json) => ({ url: `tickets/${ticketId}/notes`, method: "POST", json }),
      );
      const row = { ...answer.json(conversationRow), ticketId };
      return { row, sent: { ...row, ...draft } };
    },
    async change(io, write, before) {
      const { id, ticketId, user_id, incoming } = before;
      if ((write.record.visibility === "internal") !== before.private)
        return rejected("not_changeable", "Freshdesk can't change who sees a note.", "visibility");
      const { body } = draftNote(write, user_id ?? 0, filesIn(before.body))(new Set());
      const answer = await tell(io, { url: `conversations/${id}`, method: "PUT", json: { body } });
      askConversations.forget(io, ticketId);
      const row = { ...answer.json(conversationRow), ticketId };
      return { row, sent: { ...row, body, user_id, incoming } };
    },
    sequence: ({ ticketId }) => ticketId,
    isUntouched: ({ body, private: isPrivate }) => matchesChecksum(body, "html", isPrivate),
    keysOn: async (_, { body, attachments }) => keysOfFiles(body, attachments),
    remove: (io, { id }) => removeAt(io, `conversations/${id}`),
    urlOf: (settings, { id }) => addresses.urlOf("tickets")(settings, { id: ticketIdIn(id) ?? id }),
  });
