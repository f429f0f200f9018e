import {
  askOne,
  type DestinationStream,
  eachById,
  helpdesk,
  type HttpRequest,
  keyAtEnd,
  kept,
  lineOf,
  mayDiffer,
  notHeld,
  type Origin,
  originLine,
  ownValue,
  readInOrder,
  recordStream,
  type RecordOf,
  rejected,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import { askAgents, askWhole, listClass } from "./ask.ts";
import { toContact, toGroup, toOrganization } from "./records.ts";
import { type Company, companyRow, type Contact, contactRow, type Group, groupRow } from "./rows.ts";
import type { FreshdeskIo, Settings } from "./settings.ts";
import { addresses, ever, users } from "./source.ts";
import { numberOf, ownerIn, removeAt, tell, withoutPlainLine, withPlainLine } from "./tell.ts";

type OrganizationRecord = RecordOf<typeof helpdesk.organizations>;
type ContactRecord = RecordOf<typeof helpdesk.contacts>;
type GroupRecord = RecordOf<typeof helpdesk.groups>;

const times = {
  createdAt: ownValue("Freshdesk dates a record by its arrival; the text names the original time."),
  updatedAt: ownValue("Freshdesk sets it itself."),
};
const inText = notHeld(
  "The import does not fill custom fields of Freshdesk here; the text names the values.",
);
const noTags = notHeld("Freshdesk has no tags here; the text names them.");
const plainNotes = mayDiffer("Freshdesk holds plain text here.");
const maxName = 255;

const same = (a: string | null | undefined, b: string) => a?.trim().toLowerCase() === b.trim().toLowerCase();
const unique = <T>(all: readonly T[]): readonly T[] => [...new Set(all)];

/** Whether a list has any entry. */
const hasAny = async (io: FreshdeskIo, url: string, query: object): Promise<boolean> =>
  (await io.http.send({ url, query: { ...query, per_page: 1 }, ...listClass(url) })).json(
    z.array(z.unknown()),
  ).length > 0;

/** Agents are matched by their address: Freshdesk mails an invitation to new ones, and counts them as seats. */
export const usersDestination: DestinationStream<RecordOf<typeof helpdesk.users>, Settings> = {
  stream: helpdesk.users,
  batchSize: 100,
  idempotency: "lookup",
  guarantees: ["silent"],
  find: async (_, asked) => new Map(asked.map(({ key }) => [key, []])),
  async write(io, batch) {
    const agents = await askAgents(io);
    return batch.map(({ record }) => {
      const found = agents.find(({ contact }) => record.email !== null && same(contact.email, record.email));
      return found
        ? { kind: "matched", id: String(found.id) }
        : rejected(
            "would_notify",
            "Freshdesk would mail an invitation to a new agent: add the agent there first, or choose another one.",
          );
    });
  },
  read: readInOrder(users),
  people: async (io) =>
    (await askAgents(io)).map(({ id, contact }) => ({
      id: String(id),
      name: contact.name ?? contact.email ?? `Agent ${id}`,
      email: contact.email ?? null,
      active: contact.active !== false,
    })),
};

const isDomain = (text: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text);

const companyFields = ({ key, record }: Write<OrganizationRecord>) => ({
  name: record.name,
  domains: unique(record.domains.filter(isDomain)),
  description: withPlainLine(record.notes, originLine(record), key),
});

const madeCompany = (row: Company, sent: ReturnType<typeof companyFields>) => ({
  row,
  sent: { ...row, ...sent, domains: [...sent.domains] },
});

const changeCompany = async (io: FreshdeskIo, write: Write<OrganizationRecord>, { id }: Company) => {
  const fields = companyFields(write);
  const answer = await tell(io, { url: `companies/${id}`, method: "PUT", json: fields });
  return madeCompany(answer.json(companyRow), fields);
};

const askCompanies = (io: FreshdeskIo) => askWhole(io, "companies", {}, companyRow);
const keyOf = ({ description }: Pick<Company | Group, "description">) => keyAtEnd(description);

export const organizationsDestination = recordStream<OrganizationRecord, Company, Settings>({
  stream: helpdesk.organizations,
  guarantees: ["silent"],
  holds: {
    ...times,
    tags: noTags,
    customFields: inText,
    name: lineOf(maxName, "The name of a company has at most 255 characters."),
    domains: mayDiffer("Freshdesk takes only domains, and each for one company."),
    notes: plainNotes,
  },
  key: { kind: "field", of: keyOf, find: askCompanies },
  id: ({ id }) => String(id),
  byIds: eachById((io: FreshdeskIo, id) => askOne(io, { url: `companies/${id}` }, companyRow)),
  toRecord: (row) => toOrganization({ ...row, description: withoutPlainLine(row.description) }),
  async create(io, write) {
    const fields = companyFields(write);
    const post = { url: "companies", method: "POST" } as const;
    const answer = await tell(io, { ...post, json: fields, accept: [409] });
    if (answer.status !== 409) return madeCompany(answer.json(companyRow), fields);
    // A company of the same name is the same one, even if no import created it.
    const others = await askCompanies(io);
    const there = others.find(({ name }) => same(name, fields.name));
    if (there && keyOf(there) === write.key) return changeCompany(io, write, there);
    if (there) return { kind: "matched", id: String(there.id) };
    const taken = others.flatMap(({ domains }) => domains ?? []);
    const free = fields.domains.filter((domain) => !taken.some((each) => same(each, domain)));
    const less = { ...fields, domains: free };
    return madeCompany((await tell(io, { ...post, json: less })).json(companyRow), less);
  },
  change: changeCompany,
  async remove(io, { id }) {
    if (await hasAny(io, "contacts", { company_id: id }))
      return kept("in_use", "The company has contacts that the import did not create.");
    await removeAt(io, `companies/${id}`);
  },
  undoNote: "A company stays if a contact is in it. Tickets have the company of their requester.",
  urlOf: addresses.urlOf("organizations"),
});

const isAddress = (text: string) => /^[^\s@<>()",;]+@[^\s@<>()",;]+\.[^\s@<>()",;]+$/.test(text);

const contactFields = ({ key, record }: Write<ContactRecord>, taken: readonly string[] = []) => {
  const isHeld = (address: string) => isAddress(address) && !taken.includes(address.toLowerCase());
  const [email, ...otherEmails] = unique(record.emails.filter(isHeld).map((each) => each.toLowerCase()));
  const [phone, mobile, ...otherPhones] = unique(record.phones);
  const company = numberOf(record.organizationId);
  const origin: Origin = {
    ...record,
    tags: [],
    also: { Emails: record.emails.filter((each) => !isHeld(each)), Phones: otherPhones },
  };
  return {
    name: record.name,
    unique_external_id: key,
    description: withPlainLine(record.notes, originLine(origin), key),
    tags: tagsFor(record.tags),
    ...(email === undefined ? {} : { email, other_emails: otherEmails }),
    ...(phone === undefined ? {} : { phone }),
    ...(mobile === undefined ? {} : { mobile }),
    ...(company === null ? {} : { company_id: company }),
  };
};

/** Freshdesk divides tags at commas, and refuses long ones. */
export const tagsFor = (tags: readonly string[]) =>
  unique(
    tags
      .map((tag) =>
        tag
          .replace(/[\s,]+/g, " ")
          .trim()
          .slice(0, 32)
          .trim(),
      )
      .filter(Boolean),
  ).map(String);
export const tagsDiffer = mayDiffer("A tag of Freshdesk has at most 32 characters and no comma.");

const madeContact = (row: Contact, sent: ReturnType<typeof contactFields>) => {
  const nothing = { email: null, other_emails: [], phone: null, mobile: null, company_id: null };
  return { row, sent: { ...row, ...nothing, ...sent } };
};

/** A sent contact; or who has what it wants, if that is known. */
type Told = ReturnType<typeof madeContact> | { readonly owner: Contact | null };

/**
 * Sends a contact. The main address says who a person is; a further one that somebody else has says nothing, and is left out.
 */
const tellContact = async (
  io: FreshdeskIo,
  to: Pick<HttpRequest, "url" | "method">,
  write: Write<ContactRecord>,
  taken: readonly string[] = [],
): Promise<Told> => {
  const fields = contactFields(write, taken);
  const answer = await tell(io, { ...to, json: fields, accept: [409] });
  if (answer.status !== 409) return madeContact(answer.json(contactRow), fields);
  const id = ownerIn(answer);
  const owner = id === null ? null : await askContactOrAgent(io, String(id));
  const theirs = [owner?.email ?? [], owner?.other_emails ?? []].flat();
  const isTheirs = (address: string) => theirs.some((each) => same(each, address));
  const further = (fields.other_emails ?? []).filter(isTheirs);
  const isSame = owner?.unique_external_id === write.key || isTheirs(fields.email ?? "");
  return isSame || further.length === 0 ? { owner } : tellContact(io, to, write, [...taken, ...further]);
};

const changeContact = async (io: FreshdeskIo, write: Write<ContactRecord>, { id }: Contact) => {
  const told = await tellContact(io, { url: `contacts/${id}`, method: "PUT" }, write);
  if ("owner" in told)
    return rejected("conflict", "Another contact of Freshdesk has this address.", "emails");
  // What the record no longer has stays: a change takes no empty values.
  return { row: told.row, sent: { ...told.sent, ...keptOf(told.row, contactFields(write)) } };
};

const keptOf = (row: Contact, fields: object) =>
  Object.fromEntries(
    (["email", "other_emails", "phone", "mobile", "company_id"] as const)
      .filter((name) => !(name in fields))
      .map((name) => [name, row[name]]),
  );

/** Who became an agent is no contact any more, and has the same id. */
const askContactOrAgent = async (io: FreshdeskIo, id: string): Promise<Contact | null> => {
  const found = await askOne(io, { url: `contacts/${id}` }, contactRow);
  if (found) return found.deleted === true ? null : found;
  const agent = (await askAgents(io)).find((each) => String(each.id) === id);
  return agent ? { ...agent, ...agent.contact, id: agent.id } : null;
};

export const contactsDestination = recordStream<ContactRecord, Contact, Settings>({
  stream: helpdesk.contacts,
  guarantees: ["silent"],
  holds: {
    ...times,
    customFields: inText,
    locale: ownValue("Freshdesk takes only the languages of the account."),
    timeZone: ownValue("Freshdesk has names of its own for time zones."),
    name: lineOf(maxName, "The name of a contact has at most 255 characters."),
    emails: mayDiffer(
      "Freshdesk takes only valid addresses in lower case, and each for one contact; the text names the others.",
    ),
    phones: mayDiffer("A contact of Freshdesk has two phone numbers; the text names the others."),
    organizationId: mayDiffer("Freshdesk keeps the company of a contact."),
    notes: plainNotes,
    tags: tagsDiffer,
  },
  key: {
    kind: "field",
    of: ({ unique_external_id: key }) => key ?? null,
    find: async (io, [key = ""]) => askWhole(io, "contacts", { unique_external_id: key }, contactRow),
    atMost: 1,
  },
  id: ({ id }) => String(id),
  byIds: eachById(askContactOrAgent),
  toRecord: (row) =>
    toContact({ ...row, description: withoutPlainLine(row.description) }) ??
    helpdesk.contacts.make({ id: String(row.id), name: row.name ?? "" }),
  async create(io, write) {
    const told = await tellContact(io, { url: "contacts", method: "POST" }, write);
    if (!("owner" in told)) return told;
    const { owner: there } = told;
    if (!there) return rejected("conflict", "A deleted contact of Freshdesk has this address.", "emails");
    if (there.unique_external_id === write.key) return changeContact(io, write, there);
    return { kind: "matched", id: String(there.id) };
  },
  change: changeContact,
  /** For good, with what is in the trash; so only if no ticket goes with it that the import did not create. */
  async remove(io, { id }) {
    if (await hasAny(io, "tickets", { requester_id: id, updated_since: ever }))
      return kept("in_use", "The contact has tickets that the import did not create.");
    await removeAt(io, `contacts/${id}/hard_delete`, { force: true });
  },
  undoNote:
    "A contact stays who asked in a ticket that is there. Messages of theirs on tickets of others are not looked for.",
  urlOf: addresses.urlOf("contacts"),
});

const askGroups = (io: FreshdeskIo) => askWhole(io, "groups", {}, groupRow);

const groupFields = ({ key, record }: Write<GroupRecord>) => ({
  name: record.name,
  description: withPlainLine(record.description, originLine(record), key),
  agent_ids: unique(record.memberIds.flatMap((id) => numberOf(id) ?? [])).map(Number),
});

const changeGroup = async (io: FreshdeskIo, write: Write<GroupRecord>, { id }: Group) => {
  const fields = groupFields(write);
  const answer = await tell(io, { url: `groups/${id}`, method: "PUT", json: fields });
  const row = answer.json(groupRow);
  return { row, sent: { ...row, ...fields } };
};

export const groupsDestination = recordStream<GroupRecord, Group, Settings>({
  stream: helpdesk.groups,
  guarantees: ["silent"],
  holds: {
    ...times,
    tags: noTags,
    customFields: inText,
    name: lineOf(maxName, "The name of a group has at most 255 characters."),
    description: mayDiffer("Freshdesk trims texts."),
  },
  key: { kind: "field", of: keyOf, find: askGroups },
  id: ({ id }) => String(id),
  byIds: eachById((io: FreshdeskIo, id) => askOne(io, { url: `groups/${id}` }, groupRow)),
  toRecord: (row) => toGroup({ ...row, description: withoutPlainLine(row.description) }),
  async create(io, write) {
    const fields = groupFields(write);
    const answer = await tell(io, { url: "groups", method: "POST", json: fields, accept: [409] });
    if (answer.status !== 409) {
      const row = answer.json(groupRow);
      return { row, sent: { ...row, ...fields } };
    }
    const there = (await askGroups(io)).find(({ name }) => same(name, fields.name));
    if (!there)
      return rejected("conflict", "Freshdesk has a group of this name, and does not show it.", "name");
    return keyOf(there) === write.key
      ? changeGroup(io, write, there)
      : { kind: "matched", id: String(there.id) };
  },
  change: changeGroup,
  remove: (io, { id }) => removeAt(io, `groups/${id}`),
  undoNote:
    "Freshdesk does not say without a search, which lags, whether tickets that are not from an import are in it by now. They stay, without their group.",
});
