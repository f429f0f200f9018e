import {
  type DestinationStream,
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  type Holds,
  inDoubt,
  kept,
  keyIn,
  markerOf,
  notHeld,
  recordStream,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { anyTicket, askWholeList, tell } from "./ask.ts";
import { type Agent, type Contact, organizationFields, toAgent, toContact } from "./people-source.ts";
import { agentIds, isSystem, personFields, personRow } from "./people.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { agentFields, contactFields, isAddress, personHolds, type UserFields } from "./user-fields.ts";
import { digestOf, removedMark, usersById, usersWithKeys } from "./user-key.ts";
import { askUser, askUsersBy, type UserRow } from "./users.ts";

const idRow = z.object({ id: z.string() });

/** The user with that address, whom we treat as the same person. */
const known = async (io: RtIo, address: string | null): Promise<string | null> => {
  if (!address || !isAddress(address)) return null;
  const rows = await askUsersBy(io, "EmailAddress", [address]);
  const ids = rows.filter((row) => !isSystem(row)).map(({ id }) => String(id));
  return ids[0] ?? null;
};

const isTaken = async (io: RtIo, name: string) => (await askUsersBy(io, "Name", [name])).length > 0;

interface PeopleStream<T extends FamilyRecord> {
  readonly stream: FamilyStream<T>;
  readonly privileged: 0 | 1;
  toRecord(row: UserRow): T;
  fieldsOf(record: T): UserFields;
  readonly holds?: Holds;
}

const peopleDestination = <T extends FamilyRecord>({
  stream,
  privileged,
  toRecord,
  fieldsOf,
  holds,
}: PeopleStream<T>) => {
  const ours = (key: string, line: string) => ({
    Gecos: digestOf(key),
    Comments: `Imported. ${line} (${markerOf(key)})`.replace(/ {2,}/g, " "),
  });
  const written = async (io: RtIo, id: string, { Created, ...fields }: UserFields["fields"]) => {
    const row = await askUser(io, id);
    if (!row) return inDoubt("Request Tracker took the person but does not show them.");
    const times = Created === undefined ? {} : { Created: `${Created}Z` };
    return { row, sent: { ...row, ...fields, ...times } };
  };
  return recordStream<T, UserRow, RtSettings>({
    stream,
    batchSize: 10,
    guarantees: ["silent", "backdates"],
    holds: { ...personHolds, ...holds },
    key: { kind: "field", of: ({ Comments }) => keyIn(Comments), find: usersWithKeys },
    id: ({ id }) => id,
    byIds: usersById,
    toRecord,
    // Written one after the other: two records with the same address are one person.
    async create(io, { key, record }) {
      const { fields, line } = fieldsOf(record);
      const address = typeof fields.EmailAddress === "string" ? fields.EmailAddress : null;
      const same = await known(io, address);
      if (same !== null) return { kind: "matched", id: same };
      // The sign-in name, which must be unique.
      const Name = address && !(await isTaken(io, address)) ? address : `imported-${key}`;
      const user = { ...fields, ...ours(key, line), Name, Privileged: privileged };
      return written(io, (await tell(io, "POST", "user", user, idRow)).id, fields);
    },
    async change(io, { key, record }, { id }) {
      const { fields, line } = fieldsOf(record);
      const { Created: _, ...changeable } = fields;
      await tell(io, "PUT", `user/${id}`, { ...changeable, ...ours(key, line) });
      return written(io, id, fields);
    },
    /** RT can't delete a user; this clears the fields and disables sign-in. */
    async remove(io, { id, Comments }) {
      const names = ["Creator", "Owner.id", "Watcher.id"];
      if (await anyTicket(io, names.map((name) => `${name} = ${id}`).join(" OR ")))
        return kept("in_use", "The person is named in tickets that the import did not create.");
      const empty = { EmailAddress: "", RealName: "", FreeformContactInfo: "", Gecos: "" };
      const gone = { Name: `removed-${id}`, Comments: `${removedMark}:${keyIn(Comments)}`, Disabled: 1 };
      await tell(io, "PUT", `user/${id}`, { ...empty, ...gone });
    },
    undoNote:
      "A person stays whom a ticket names that was not deleted. Messages of theirs on tickets of others are not looked for: they stay, by “removed” and the person's number.",
    urlOf: urlOf("contacts"),
  });
};

export const usersDestination: DestinationStream<Agent, RtSettings> = {
  ...peopleDestination<Agent>({
    stream: helpdesk.users,
    privileged: 1,
    toRecord: toAgent,
    fieldsOf: agentFields,
  }),
  async people(io) {
    const ids = await agentIds(io);
    const question = { path: "users", row: personRow, fields: personFields };
    const rows = await askWholeList(io, { ...question, disabledToo: true });
    const enabled = new Set((await askWholeList(io, { ...question, fields: ["id"] })).map(({ id }) => id));
    return rows
      .filter((row) => ids.has(row.id) && !isSystem(row))
      .map((row) => ({
        id: row.id,
        name: row.RealName || row.Name || row.id,
        email: row.EmailAddress || null,
        active: enabled.has(row.id),
      }));
  },
};

export const contactsDestination: DestinationStream<Contact, RtSettings> = {
  ...peopleDestination<Contact>({
    stream: helpdesk.contacts,
    privileged: 0,
    toRecord: toContact,
    fieldsOf: contactFields,
    holds: { organizationId: notHeld("Request Tracker has no organizations.") },
  }),
  customFields: organizationFields,
};
