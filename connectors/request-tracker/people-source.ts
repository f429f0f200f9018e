import {
  type At,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  type Io,
  type Page,
  pagePager,
  type RecordOf,
  type SourceStream,
} from "@portage/connector-kit";
import { numericIds } from "./ask.ts";
import { fromRtTime } from "./moments.ts";
import { agentIds } from "./people.ts";
import type { RtIo, RtSettings } from "./settings.ts";
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

const peopleSource = <T extends FamilyRecord>(
  stream: FamilyStream<T>,
  areAgents: boolean,
  toRecord: (row: UserRow) => T,
): SourceStream<T, RtSettings> => {
  const isOurs = async (io: RtIo, id: string) => (await agentIds(io)).has(id) === areAgents;
  // Skips users who no longer exist or belong to the other stream.
  const read = async (io: RtIo, id: string): Promise<T | null> => {
    if (!(await isOurs(io, id))) return null;
    const row = await askUser(io, id);
    return row ? toRecord(row) : null;
  };
  const pager = (since: Date | null) =>
    pagePager<ListedUser, T | null, RtSettings>({
      size: 50,
      sortedByKey: true,
      key: ({ id }) => id,
      toRecord: ({ id, LastUpdated }, io) =>
        since && Date.parse(LastUpdated ?? "") < since.getTime() - 999 ? null : read(io, String(id)),
      fetch: (io, _at, { page, size }) =>
        askUserPage(io, page, size).then(({ rows, total }) => ({
          rows,
          ...(total === null ? {} : { total }),
        })),
    });
  return {
    stream,
    delta: true,
    async readPage(io: Io<RtSettings>, at: At): Promise<Page<T>> {
      const page = await pager(at.since)(io, at);
      return { ...page, records: page.records.filter((record) => record !== null) };
    },
    async readByIds(io, ids) {
      const found = await Promise.all(numericIds(ids).map((id) => read(io, String(id))));
      return found.filter((record) => record !== null);
    },
    urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/$/, "")}/User/Summary.html?id=${id}`,
  };
};

export const usersSource = peopleSource<Agent>(helpdesk.users, true, toAgent);

export const contactsSource: SourceStream<Contact, RtSettings> = {
  ...peopleSource<Contact>(helpdesk.contacts, false, toContact),
  customFields: async () => [
    {
      key: organizationField,
      label: "Organization",
      type: "text",
      required: false,
      writable: true,
      maxLength: 200,
    },
  ],
};
