import {
  changesOnTheWay,
  type DestinationStream,
  type FamilyRecord,
  type FamilyStream,
  type FieldChange,
  helpdesk,
  type Outcome,
  removeRecord,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { z } from "zod";
import { askWholeList, numericIds, tell } from "./ask.ts";
import { keyIn, markerOf } from "./marker.ts";
import { otherKey } from "./other-key.ts";
import { agentIds, isSystem, personFields, personRow } from "./people.ts";
import { type Agent, type Contact, organizationField, toAgent, toContact } from "./people-source.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { digestOf, findUsers, isRemoved, removedMark } from "./user-key.ts";
import { agentFields, contactFields, isAddress, personReasons, type UserFields } from "./user-fields.ts";
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
  readonly toRecord: (row: UserRow) => T;
  readonly fieldsOf: (record: T) => UserFields;
  readonly drops: readonly FieldChange[];
}

const peopleDestination = <T extends FamilyRecord>({
  stream,
  privileged,
  toRecord,
  fieldsOf,
  drops,
}: PeopleStream<T>): DestinationStream<T, RtSettings> => {
  const written = async (
    io: RtIo,
    record: T,
    id: string,
    { Created, ...fields }: UserFields["fields"],
  ): Promise<Outcome<T>> => {
    const user = await askUser(io, id);
    if (!user) return { kind: "unknown", why: "Request Tracker took the person but does not show them." };
    const times = Created === undefined ? {} : { Created: `${Created}Z` };
    const changes = changesOnTheWay(
      stream,
      record,
      toRecord({ ...user, ...fields, ...times }),
      personReasons,
    );
    return { kind: "written", id: user.id, record: toRecord(user), changes };
  };
  const writeOne = async (io: RtIo, { key, record, id }: Write<T>): Promise<Outcome<T>> => {
    const { fields, line } = fieldsOf(record);
    const address = typeof fields.EmailAddress === "string" ? fields.EmailAddress : null;
    const ours = {
      Gecos: digestOf(key),
      Comments: `Imported. ${line} (${markerOf(key)})`.replace(/ {2,}/g, " "),
    };
    if (id !== null) {
      const user = await askUser(io, id);
      if (!user || keyIn(user.Comments) !== key)
        return { kind: "rejected", code: "not_ours", message: "This import did not create this person." };
      const { Created: _, ...changeable } = fields;
      await tell(io, "PUT", `user/${id}`, { ...changeable, ...ours }, z.unknown());
      return written(io, record, id, fields);
    }
    const same = await known(io, address);
    if (same !== null) return { kind: "matched", id: same };
    // The sign-in name, which must be unique.
    const name = address && !(await isTaken(io, address)) ? address : `imported-${key}`;
    const made = await tell(
      io,
      "POST",
      "user",
      { ...fields, ...ours, Name: name, Privileged: privileged },
      idRow,
    );
    return written(io, record, made.id, fields);
  };
  return {
    stream,
    batchSize: 10,
    idempotency: "lookup",
    guarantees: ["silent", "backdates"],
    drops,
    find: (io, asked) =>
      findUsers(
        io,
        asked.map(({ key }) => key),
      ),
    async write(io, batch) {
      const outcomes: Outcome<T>[] = [];
      // Sequentially: two records with the same address are one person.
      for (const write of batch)
        outcomes.push(await writeRecord(io, write, (watched) => writeOne(watched, write)));
      return outcomes;
    },
    read: (io, ids) =>
      Promise.all(
        ids.map(async (id) => {
          const [number] = numericIds([id]);
          const user = number ? await askUser(io, number) : null;
          return user && !isRemoved(user) ? toRecord(user) : null;
        }),
      ),
    /** RT can't delete a user; this clears the fields and disables sign-in. */
    remove: (io, what) =>
      Promise.all(
        what.map(({ id, key }) =>
          removeRecord(async () => {
            const user = await askUser(io, id);
            if (!user || isRemoved(user)) return { kind: "removed" };
            if (keyIn(user.Comments) !== key) return otherKey;
            const empty = { EmailAddress: "", RealName: "", FreeformContactInfo: "", Gecos: "" };
            const gone = { Name: `removed-${id}`, Comments: `${removedMark}:${key}`, Disabled: 1 };
            await tell(io, "PUT", `user/${id}`, { ...empty, ...gone }, z.unknown());
            return { kind: "removed" };
          }),
        ),
      ),
    urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/$/, "")}/User/Summary.html?id=${id}`,
  };
};

const noTags: FieldChange = {
  field: "tags",
  change: "cleared",
  why: "Request Tracker has no tags; a note names them.",
};
const ownTime: FieldChange = {
  field: "updatedAt",
  change: "cleared",
  why: "Request Tracker sets it itself.",
};

export const usersDestination: DestinationStream<Agent, RtSettings> = {
  ...peopleDestination<Agent>({
    stream: helpdesk.users,
    privileged: 1,
    toRecord: toAgent,
    fieldsOf: agentFields,
    drops: [noTags, ownTime],
  }),
  async people(io) {
    const ids = new Set(await agentIds(io));
    const rows = await askWholeList(io, {
      path: "users",
      row: personRow,
      fields: personFields,
      disabledToo: true,
    });
    const enabled = new Set(
      (await askWholeList(io, { path: "users", row: personRow, fields: ["id"] })).map(({ id }) => id),
    );
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
    drops: [
      noTags,
      ownTime,
      { field: "organizationId", change: "cleared", why: "Request Tracker has no organizations." },
    ],
  }),
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
