import {
  foreignId,
  hasStatus,
  helpdesk,
  listStream,
  loadTogether,
  readPages,
  recover,
  type RecordOf,
  type SourceStream,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { askByIds, askNumbered, countOf, dated, momentOf, numericIds, timesOf } from "./ask.ts";
import { customFieldsOf, ticketValues } from "./custom-fields.ts";
import { exportByCursor } from "./export.ts";
import { whoOf } from "./people-source.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";

export type Ticket = RecordOf<typeof helpdesk.tickets>;

const people = z.array(z.number()).nullish();
export const ticketRow = z.object({
  id: z.number(),
  external_id: z.string().nullish(),
  /** The first comment, as plain text. */
  description: z.string().nullish(),
  subject: z.string().nullish(),
  status: z.string(),
  priority: z.enum(["low", "normal", "high", "urgent"]).nullish(),
  type: z.string().nullish(),
  requester_id: z.number().nullish(),
  submitter_id: z.number().nullish(),
  assignee_id: z.number().nullish(),
  group_id: z.number().nullish(),
  organization_id: z.number().nullish(),
  brand_id: z.number().nullish(),
  ticket_form_id: z.number().nullish(),
  collaborator_ids: people,
  email_cc_ids: people,
  follower_ids: people,
  tags: z.array(z.string()).nullish(),
  custom_fields: z.array(z.object({ id: z.number(), value: z.unknown() })).nullish(),
  via: z.object({ channel: z.union([z.string(), z.number()]).nullish() }).nullish(),
  due_at: z.string().nullish(),
  is_public: z.boolean().nullish(),
  ...dated,
});
export type TicketRow = z.infer<typeof ticketRow>;

export const ticketsById = { path: "tickets/show_many", name: "tickets", row: ticketRow };

/** The export has deleted tickets too. */
const isDeleted = ({ status }: TicketRow) => status === "deleted";

/** Whether a ticket is still there; archived ones are. One that goes meanwhile is found by the next pass. */
export const isLive = loadTogether(
  async (io: ZendeskIo, ids: readonly number[]) => {
    const rows = await askByIds(io, ticketsById, ids);
    return new Map(rows.filter((row) => !isDeleted(row)).map(({ id }) => [id, true]));
  },
  { mayBeOld: true },
);
const noteLive = (row: TicketRow, io: ZendeskIo) => isLive.note(io, row.id, isDeleted(row) ? null : true);

export const kinds: Readonly<Record<string, Ticket["statusKind"]>> = {
  new: "new",
  open: "open",
  pending: "pending",
  hold: "on_hold",
  solved: "solved",
  closed: "closed",
};

const namedRow = z.object({ id: z.number(), name: z.string() });

/** Names of brands or forms, which a ticket has by id. Plans without them, and agents who may not see them, get none. */
const namesOf = (name: "brands" | "ticket_forms") => {
  const load = loadTogether(
    async (io: ZendeskIo, _ids: readonly number[]) => {
      const rows = await recover(
        askNumbered(io, { path: name, name, row: namedRow }),
        hasStatus(403, 404),
        () => [],
      );
      return new Map(rows.map((row) => [row.id, row.name]));
    },
    { mayBeOld: true },
  );
  return async (io: ZendeskIo, id: number | null | undefined) => (id ? load(io, id) : null);
};
const brandName = namesOf("brands");
const formName = namesOf("ticket_forms");

const textOf = (id: number | null | undefined) => (id ? String(id) : null);

export const toTicket = async (row: TicketRow, io: ZendeskIo): Promise<Ticket | null> => {
  noteLive(row, io);
  if (isDeleted(row)) return null;
  // Which of the lists an account fills depends on its settings.
  const copied = [...(row.collaborator_ids ?? []), ...(row.email_cc_ids ?? []), ...(row.follower_ids ?? [])];
  const [values, brand, form, author, requester, assignee, ...followers] = await Promise.all([
    ticketValues(io, row.custom_fields ?? [], row.tags ?? []),
    brandName(io, row.brand_id),
    formName(io, row.ticket_form_id),
    ...[row.submitter_id, row.requester_id, row.assignee_id, ...new Set(copied)].map((id) => whoOf(io, id)),
  ]);
  return helpdesk.tickets.make({
    id: String(row.id),
    ...timesOf(row),
    ...values,
    subject: row.subject ?? "",
    // Zendesk's description is the text of the first comment, without its form.
    description: null,
    status: row.status,
    statusKind: kinds[row.status] ?? "open",
    priority: row.priority ?? null,
    priorityKind: row.priority ?? null,
    type: row.type ?? null,
    author: author ?? null,
    requester: requester ?? null,
    assignee: assignee ?? null,
    groupId: textOf(row.group_id),
    organizationId: textOf(row.organization_id),
    followers: followers.flatMap((who) =>
      who?.stream && who.id ? [{ stream: who.stream, id: who.id }] : [],
    ),
    channel: row.via?.channel === undefined || row.via.channel === null ? null : String(row.via.channel),
    dueAt: momentOf(row.due_at),
    visibility: row.is_public === true ? "public" : "internal",
    externalId: foreignId(row.external_id),
    brand,
    formName: form,
  });
};

const pages = (lagMs: number) => exportByCursor("tickets/cursor", "tickets", ticketRow, lagMs);

/** By the export: the list leaves archived tickets out. */
export const ticketsSource = (lagMs: number): SourceStream<Ticket, ZendeskSettings> =>
  listStream<TicketRow, Ticket, ZendeskSettings>({
    stream: helpdesk.tickets,
    delta: true,
    key: ({ id }) => id,
    toRecord: toTicket,
    pages: pages(lagMs),
    // Without a look at the people that it names.
    readIds: readPages(pages(lagMs), {
      key: ({ id }) => id,
      toRecord: (row, io) => {
        noteLive(row, io);
        return isDeleted(row) ? null : String(row.id);
      },
    }),
    // A page has ten times as many as a call by ids.
    cheaperByPages: true,
    byIds: (io, ids) => askByIds(io, ticketsById, numericIds(ids)),
    count: countOf("tickets/count"),
    customFields: customFieldsOf("ticket_fields"),
    urlOf: urlOf("tickets"),
  });
