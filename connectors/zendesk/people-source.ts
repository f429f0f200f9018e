import {
  type FamilyRecord,
  foreignId,
  helpdesk,
  inPhases,
  listStream,
  loadTogether,
  readPages,
  type RecordOf,
  type SourceStream,
  type Who,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { askByIds, askEach, countOf, dated, numericIds, pagesOf, timesOf } from "./ask.ts";
import { customFieldsOf, plainNotes, valuesOf } from "./custom-fields.ts";
import { exportByCursor } from "./export.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";

export const userRow = z.object({
  id: z.number(),
  external_id: z.string().nullish(),
  name: z.string(),
  email: z.string().nullish(),
  role: z.string(),
  /** False: deleted. */
  active: z.boolean().default(true),
  suspended: z.boolean().nullish(),
  phone: z.string().nullish(),
  organization_id: z.number().nullish(),
  locale: z.string().nullish(),
  iana_time_zone: z.string().nullish(),
  details: z.string().nullish(),
  notes: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  user_fields: z.record(z.string(), z.unknown()).nullish(),
  ...dated,
});
export type UserRow = z.infer<typeof userRow>;

const isAgent = ({ role }: UserRow) => role !== "end-user";
export const usersById = { path: "users/show_many", name: "users", row: userRow };

const whoIs = (row: UserRow): Who => {
  const known = { name: row.name, email: row.email ?? null };
  if (!row.active) return { stream: null, id: null, ...known };
  return { stream: isAgent(row) ? "users" : "contacts", id: String(row.id), ...known };
};

/**
 * Deleted people are in no list, but can be read one by one: their names stay on what they wrote. The same people are on page
 * after page, so they may be some minutes old.
 */
const askWho = loadTogether(
  async (io: ZendeskIo, ids: readonly number[]) => {
    const rows = [...(await askByIds(io, usersById, ids))];
    const found = new Set(rows.map(({ id }) => id));
    const gone = ids.filter((id) => !found.has(id)).map(String);
    rows.push(...(await askEach(io, { path: "users", name: "user", row: userRow }, gone)));
    return new Map(rows.map((row) => [row.id, whoIs(row)]));
  },
  { mayBeOld: true },
);

/** Zendesk names people by id alone: whether one is an agent or a customer takes a look at them. The system has a negative id. */
export const whoOf = async (io: ZendeskIo, id: number | null | undefined): Promise<Who | null> =>
  id && id > 0 ? askWho(io, id) : null;

export type Agent = RecordOf<typeof helpdesk.users>;
export type Contact = RecordOf<typeof helpdesk.contacts>;

export const toAgent = (row: UserRow): Agent | null =>
  !row.active || !isAgent(row)
    ? null
    : helpdesk.users.make({
        id: String(row.id),
        ...timesOf(row),
        tags: row.tags ?? [],
        name: row.name,
        email: row.email ?? null,
        active: row.suspended !== true,
        role: row.role === "admin" ? "admin" : "agent",
        externalId: foreignId(row.external_id),
      });

export const toContact = (row: UserRow): Contact | null =>
  !row.active || isAgent(row)
    ? null
    : helpdesk.contacts.make({
        id: String(row.id),
        ...timesOf(row),
        tags: row.tags ?? [],
        customFields: valuesOf(row.user_fields),
        name: row.name,
        emails: row.email ? [row.email] : [],
        phones: row.phone ? [row.phone] : [],
        organizationId: row.organization_id ? String(row.organization_id) : null,
        locale: row.locale ?? null,
        timeZone: row.iana_time_zone ?? null,
        notes: plainNotes(row.details, row.notes),
        externalId: foreignId(row.external_id),
        active: row.suspended === true ? false : null,
      });

const usersOf = (role: string) => pagesOf({ path: "users", name: "users", row: userRow, query: { role } });

const peopleStream = <T extends FamilyRecord>(
  stream: SourceStream<T, ZendeskSettings>["stream"],
  toRecord: (row: UserRow) => T | null,
) => {
  const rows = {
    key: ({ id }: UserRow) => id,
    toRecord: (row: UserRow, io: ZendeskIo) => {
      askWho.note(io, row.id, whoIs(row));
      return toRecord(row);
    },
  };
  const base = listStream<UserRow, T, ZendeskSettings>({
    stream,
    ...rows,
    pages: usersOf("end-user"),
    byIds: (io, ids) => askByIds(io, usersById, numericIds(ids)),
    urlOf: urlOf(stream.name),
  });
  return { base, rows };
};

/** Few, so they are listed each time. */
export const usersSource = (): SourceStream<Agent, ZendeskSettings> => {
  const { base, rows } = peopleStream(helpdesk.users, toAgent);
  return {
    ...base,
    readPage: inPhases([readPages(usersOf("admin"), rows), readPages(usersOf("agent"), rows)]),
  };
};

/** All at once by the list, which is faster than the export; what changed by the export. */
export const contactsSource = (lagMs: number): SourceStream<Contact, ZendeskSettings> => {
  const { base, rows } = peopleStream(helpdesk.contacts, toContact);
  const changed = readPages(exportByCursor("users/cursor", "users", userRow, lagMs), rows);
  return {
    ...base,
    delta: true,
    readPage: (io, at) => (at.since ? changed : base.readPage)(io, at),
    count: countOf("users/count", { role: "end-user" }),
    customFields: customFieldsOf("user_fields"),
  };
};
