import {
  type CustomField,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  listStream,
  pagePager,
  type RecordOf,
  type SourceStream,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { numericIds } from "./ask.ts";
import { fromRtTime } from "./moments.ts";
import { agentIds } from "./people.ts";
import type { RtSettings } from "./settings.ts";
import { askUser, askUserPage, type ListedUser, phoneFields, type UserRow } from "./users.ts";

export type Agent = RecordOf<typeof helpdesk.users>;
export type Contact = RecordOf<typeof helpdesk.contacts>;

const nameOf = ({ RealName, Name }: UserRow) => RealName || Name;

const timesOf = ({ Created, LastUpdated }: UserRow) => ({
  createdAt: fromRtTime(Created),
  updatedAt: fromRtTime(LastUpdated),
});

export const toAgent = (row: UserRow): Agent =>
  helpdesk.users.make({
    id: row.id,
    ...timesOf(row),
    name: nameOf(row),
    email: row.EmailAddress || null,
    active: row.Disabled === 0,
    // RT grants rights to groups; its API can't list who has all rights.
    role: "agent",
  });

/** RT writes pt_BR where others write pt-BR. */
const localeOf = (lang: string | null | undefined) => (lang ? lang.replace("_", "-") : null);

export const organizationField = "Organization";

export const toContact = (row: UserRow): Contact =>
  helpdesk.contacts.make({
    id: row.id,
    ...timesOf(row),
    customFields: row.Organization ? { [organizationField]: row.Organization } : {},
    name: nameOf(row),
    emails: row.EmailAddress ? [row.EmailAddress] : [],
    phones: phoneFields.map((field) => row[field] ?? "").filter((phone) => phone !== ""),
    locale: localeOf(row.Lang),
    timeZone: row.Timezone || null,
    notes: row.FreeformContactInfo
      ? { format: "plain", text: row.FreeformContactInfo, references: [] }
      : null,
  });

interface ListedId {
  readonly id: number;
  /** RT can't filter people by time. */
  readonly isOld?: boolean;
}

const peopleSource = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  areAgents: boolean,
  toRecord: (row: UserRow) => T,
): SourceStream<T, RtSettings> =>
  listStream<ListedId, T, RtSettings>({
    stream,
    delta: true,
    key: ({ id }) => id,
    pages: (rows) =>
      pagePager({
        ...rows,
        size: 50,
        sortedByKey: true,
        async fetch(io, { since }, { page, size }) {
          const listed = await askUserPage(io, page, size);
          const isOld = ({ LastUpdated }: ListedUser) =>
            since !== null && Date.parse(LastUpdated ?? "") < since.getTime() - 999;
          const found = listed.rows.map((row) => ({ id: row.id, isOld: isOld(row) }));
          return { rows: found, ...(listed.total === null ? {} : { total: listed.total }) };
        },
      }),
    // Skips users who no longer exist or belong to the other stream.
    async toRecord({ id, isOld }, io) {
      if (isOld || (await agentIds(io)).has(String(id)) !== areAgents) return null;
      const row = await askUser(io, id);
      return row && toRecord(row);
    },
    byIds: async (_io, ids) => numericIds(ids).map((id) => ({ id })),
    urlOf: urlOf("contacts"),
  });

export const organizationFields = async (): Promise<readonly CustomField[]> => [
  {
    key: organizationField,
    label: "Organization",
    type: "text",
    required: false,
    writable: true,
    maxLength: 200,
  },
];

export const usersSource = peopleSource<Agent>(helpdesk.users, true, toAgent);

export const contactsSource: SourceStream<Contact, RtSettings> = {
  ...peopleSource<Contact>(helpdesk.contacts, false, toContact),
  customFields: organizationFields,
};
