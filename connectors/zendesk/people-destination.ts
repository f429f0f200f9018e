import {
  askOne,
  type DestinationStream,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  type Holds,
  inDoubt,
  kept,
  keyDiffers,
  mayDiffer,
  noFieldSetup,
  notHeld,
  originLine,
  ownValue,
  recordStream,
  rejected,
  removed,
  removeEach,
  strangeFields,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { api, askAll, askByIds, askByKeys, change, createUnique, numericIds, tell } from "./ask.ts";
import { customFieldsOf, heldValues } from "./custom-fields.ts";
import {
  type Agent,
  type Contact,
  toAgent,
  toContact,
  usersById,
  userRow,
  type UserRow,
} from "./people-source.ts";
import { deskHolds, detailsWith, plainOf, withoutDetails } from "./provenance.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";
import { tagsOf } from "./texts.ts";

const users = { path: "users", name: "user", row: userRow };

const isAddress = (text: string | null): text is string => z.email().safeParse(text).success;

interface PeopleStream<T extends FamilyRecord> {
  readonly stream: FamilyStream<T>;
  readonly holds: Holds;
  toRecord(row: UserRow): T | null;
  /** What Zendesk gets, besides the key. */
  fieldsOf(io: ZendeskIo, record: T, key: string): Promise<Partial<UserRow> & { readonly name: string }>;
}

const peopleDestination = <T extends FamilyRecord>({
  stream,
  holds,
  toRecord,
  fieldsOf,
}: PeopleStream<T>) => {
  // Who is matched may have another role here than in the old tool.
  const shown = (row: UserRow): T =>
    toRecord(withoutDetails(row)) ?? stream.make({ id: String(row.id), name: row.name });
  return recordStream<T, UserRow, ZendeskSettings>({
    stream,
    batchSize: 20,
    guarantees: ["silent"],
    holds: { ...deskHolds, ...holds },
    key: {
      kind: "field",
      atMost: 100,
      of: ({ external_id: key }) => key ?? null,
      find: askByKeys(usersById),
    },
    id: ({ id }) => String(id),
    byIds: (io, ids) => askByIds(io, usersById, numericIds(ids)),
    toRecord: shown,
    // One after the other: two records with the same address are one person.
    async create(io, { key, record }) {
      const fields = await fieldsOf(io, record, key);
      // Without it Zendesk mails the new user.
      const user = { ...fields, external_id: key, skip_verify_email: true };
      const row = await createUnique(io, users, user);
      if (row) return { row, sent: { ...row, ...fields } };
      if (!fields.email) return rejected("rejected", "Zendesk has such a person already.");
      // By the address alone, so that nothing about the person changes: the search would show new people only later.
      const json = { user: { email: fields.email.toLowerCase(), skip_verify_email: true } };
      const same = await tell(io, {
        url: api("users/create_or_update"),
        method: "POST",
        json,
        idempotent: true,
        auxiliary: true,
      });
      return { kind: "matched", id: String(same.json(z.object({ user: userRow })).user.id) };
    },
    async change(io, { key, record }, { id }) {
      // An address is an identity of its own, which a change would add to.
      const { email: _, ...fields } = await fieldsOf(io, record, key);
      const row = await change(io, { ...users, path: `users/${id}` }, fields);
      return row ? { row, sent: { ...row, ...fields } } : inDoubt("Zendesk does not show the person.");
    },
    urlOf: urlOf(stream.name),
  });
};

const relatedRow = z.object({
  user_related: z.object({
    requested_tickets: z.number(),
    assigned_tickets: z.number(),
    ccd_tickets: z.number(),
  }),
});

/** Whether tickets name the person: of ours none is left by now, unless one stays, and then its people do. */
const isNamed = async (io: ZendeskIo, id: string): Promise<boolean> => {
  const related = await askOne(io, { url: api(`users/${id}/related`) }, relatedRow);
  return Object.values(related?.user_related ?? {}).some((count) => count > 0);
};

/** First as people delete, then for good: else the name stays. Zendesk refuses it as long as a ticket of theirs is open. */
const removePeople: NonNullable<DestinationStream<FamilyRecord, ZendeskSettings>["remove"]> = (io, what) =>
  removeEach(what, async (id, key) => {
    const [number] = numericIds([id]);
    const found = number && (await askOne(io, { url: api(`users/${number}`) }, z.object({ user: userRow })));
    if (!found) return removed;
    const isOurs = found.user.external_id === key;
    if (!isOurs) return found.user.active ? keyDiffers(found.user.external_id) : removed;
    if (found.user.active && (await isNamed(io, id)))
      return kept("in_use", "The person is named in tickets that the import did not create.");
    if (found.user.active) await tell(io, { url: api(`users/${id}`), method: "DELETE", accept: [404] });
    await tell(io, { url: api(`deleted_users/${id}`), method: "DELETE", accept: [404] });
    return removed;
  });

const personNote =
  "A person stays whom a ticket names as requester, assignee or copy. Comments of theirs on tickets of others are not looked for: Zendesk keeps them, without the name.";

const rolesOf = (role: string) => ({ path: "users", name: "users", row: userRow, query: { role } });

export const usersDestination: DestinationStream<Agent, ZendeskSettings> = {
  ...peopleDestination<Agent>({
    stream: helpdesk.users,
    holds: {
      customFields: notHeld("The import fills no fields of agents."),
      role: mayDiffer("Zendesk's owner makes administrators: the import creates agents."),
      email: mayDiffer("Zendesk does not accept this address."),
    },
    toRecord: toAgent,
    fieldsOf: async (_, record, key) => ({
      name: record.name || record.email || "Unknown",
      ...(isAddress(record.email) ? { email: record.email } : {}),
      role: "agent",
      suspended: !record.active,
      tags: [...tagsOf(record.tags)],
      details: detailsWith(originLine(record), key),
    }),
  }),
  remove: removePeople,
  undoNote: personNote,
  async people(io) {
    const found = await Promise.all(["admin", "agent"].map((role) => askAll(io, rolesOf(role))));
    return found.flat().map(({ id, name, email, suspended }) => ({
      id: String(id),
      name,
      email: email ?? null,
      active: suspended !== true,
    }));
  },
};

const contactFields = customFieldsOf("user_fields");

export const contactsDestination: DestinationStream<Contact, ZendeskSettings> = {
  ...peopleDestination<Contact>({
    stream: helpdesk.contacts,
    holds: {
      emails: mayDiffer("Zendesk shows one address of a person; the details name the others."),
      phones: mayDiffer("Zendesk shows one number of a person; the details name the others."),
      locale: ownValue("Zendesk knows only its own languages; the details name the original one."),
      timeZone: ownValue("Zendesk names time zones in its own way; the details name the original one."),
    },
    toRecord: toContact,
    async fieldsOf(io, record, key) {
      const email = record.emails.find(isAddress);
      const [phone] = record.phones;
      const values = heldValues(await contactFields(io), record);
      const line = originLine({
        createdAt: record.createdAt,
        updatedAt: record.updatedAt,
        also: {
          Addresses: record.emails.filter((each) => each !== email),
          Numbers: record.phones.slice(1),
          Language: record.locale,
          "Time zone": record.timeZone,
        },
        customFields: strangeFields(record, Object.keys(values)),
      });
      return {
        name: record.name || email || "Unknown",
        ...(email === undefined ? {} : { email }),
        ...(phone === undefined ? {} : { phone }),
        organization_id: record.organizationId === null ? null : Number(record.organizationId),
        tags: [...tagsOf(record.tags)],
        user_fields: values,
        notes: plainOf(record.notes),
        details: detailsWith(line, key),
      };
    },
  }),
  remove: removePeople,
  undoNote: personNote,
  customFields: contactFields,
  fieldSetup: noFieldSetup(
    "Imports add fields of tickets only. An administrator can add fields of people in Zendesk (Admin Center, People, Configuration, User fields).",
  ),
};
