import {
  type At,
  type FamilyRecord,
  type FamilyStream,
  hasStatus,
  helpdesk,
  kept,
  mayDiffer,
  notHeld,
  type Person,
  projects,
  readPages,
  recordStream,
  recover,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { fieldSetup } from "./field-setup.ts";
import { accountOf } from "./catalog.ts";
import { copiesOf, stillThere } from "./copies.ts";
import { customFieldsOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { ownTimes } from "./losses.ts";
import { nameOf, splitName } from "./people.ts";
import { toAgent, toMember } from "./project-records.ts";
import { endOfLogin, loginEnd, type LoginKind, loginOf } from "./quiet.ts";
import { activeStatus, lockedStatus, type UserRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { issueTable, timeEntryTable, userTable } from "./tables.ts";
import { keyOfRow, userPages } from "./walks.ts";

interface Human extends FamilyRecord {
  readonly name: string;
  readonly email: string | null;
  readonly active: boolean;
}

const search = async (io: RedmineIo, name: string) =>
  (await userTable.list(io, { name, status: "", limit: 100 })).rows;

/** Redmine finds people by all of their addresses, but shows the main one alone: who is found by nothing else has this one. */
const hasFurther = ({ login, firstname, lastname, mail }: UserRow, address: string): boolean =>
  [login, firstname, lastname, mail ?? ""].every((text) => !text.toLowerCase().includes(address));

/** Redmine requires an address; the domain .invalid can't receive mail. */
const noDomain = "@portage.invalid";

const everybody = readPages<UserRow, Person, Settings>(userPages, {
  key: keyOfRow,
  toRecord: (row) => ({
    id: String(row.id),
    name: nameOf(row),
    email: row.mail || null,
    active: row.status === activeStatus,
  }),
});

const fieldsOf = async (io: RedmineIo, { name, active, customFields }: Human) => ({
  ...splitName(name),
  status: active ? activeStatus : lockedStatus,
  custom_fields: await writeCustomValues(io, "user", customFields),
});

const made = (
  row: UserRow,
  { custom_fields, ...fields }: Awaited<ReturnType<typeof fieldsOf>> & Pick<UserRow, "mail" | "admin">,
) => ({ row, sent: { ...row, ...fields, custom_fields: sentValues(custom_fields) } });

/** The notifications of an account, until its owner changes them. */
const preferences: Readonly<Record<LoginKind, { mail_notification: string; pref: object }>> = {
  // The person turns notifications on after taking over the account.
  p: {
    mail_notification: "none",
    pref: { no_self_notified: "1", notify_about_high_priority_issues: "0", auto_watch_on: [""] },
  },
  // Its own changes too: the canary is the author of the records that name it.
  c: { mail_notification: "all", pref: { no_self_notified: "0" } },
};

/** Of ours nothing is left by now, unless it stays, and then the people in it do. */
const isNamed = async (io: RedmineIo, id: number): Promise<boolean> => {
  const any = { status_id: "*", limit: 1 };
  for (const role of ["author_id", "assigned_to_id", "updated_by"])
    if ((await issueTable.list(io, { ...any, [role]: id })).total > 0) return true;
  return (await timeEntryTable.list(io, { user_id: id, limit: 1 })).total > 0;
};

const users = <T extends Human>(
  stream: FamilyStream<T>,
  toRecord: (io: RedmineIo, row: UserRow) => Promise<T>,
  kind: LoginKind = "p",
) =>
  recordStream<T, UserRow, Settings>({
    stream,
    guarantees: ["silent"],
    holds: {
      ...ownTimes(),
      tags: notHeld("Redmine's users have no tags."),
      name: mayDiffer("Redmine allows a first and a last name of 30 characters each."),
      role: mayDiffer("An import never creates administrators."),
      email: mayDiffer("Redmine did not accept the address."),
      customFields: mayDiffer("Redmine's users have no such field."),
      active: mayDiffer("Redmine did not accept this status."),
    },
    key: {
      kind: "field",
      of: ({ login }) => endOfLogin(login, kind),
      digest: (key) => loginEnd(key, kind),
      atMost: 1,
      find: (io, [key = ""]) => search(io, loginEnd(key, kind)),
    },
    ...copiesOf(userTable),
    async toRecord(row, io) {
      const record = await toRecord(io, row);
      return { ...record, email: record.email?.endsWith(noDomain) ? null : record.email };
    },
    async create(io, { key, record }) {
      const wanted = record.email?.toLowerCase();
      const found = wanted ? await search(io, wanted) : [];
      const owner = found.find(({ mail }) => mail?.toLowerCase() === wanted);
      if (owner) return { kind: "matched", id: String(owner.id) };
      const login = loginOf(key, record.email, record.name, kind);
      const fields = await fieldsOf(io, record);
      const post = async (mail: string) => {
        const { mail_notification, pref } = preferences[kind];
        const user = { ...fields, login, mail, generate_password: true, mail_notification };
        return { row: await userTable.create(io, user, { json: { user, pref } }), mail };
      };
      const placeholder = `${login}${noDomain}`;
      const isRefused = (error: unknown) => record.email !== null && hasStatus(422)(error);
      const posted = await recover(post(record.email ?? placeholder), isRefused, () => null);
      const [further, ...others] = found.filter((row) => hasFurther(row, wanted ?? ""));
      if (!posted && further && others.length === 0) return { kind: "matched", id: String(further.id) };
      // Other tools accept addresses that Redmine does not, such as root@localhost.
      const { row, mail } = posted ?? (await post(placeholder));
      return made(row, { ...fields, mail, admin: false });
    },
    async change(io, { record }, { id, mail, admin }) {
      const fields = await fieldsOf(io, record);
      await userTable.change(io, id, fields);
      return made(await stillThere(userTable.one(io, id)), { ...fields, mail, admin });
    },
    sequence: ({ email, id }) => email ?? id,
    async remove(io, { id, last_login_on }) {
      if (last_login_on) return kept("in_use", "The person has signed in since.");
      if (await isNamed(io, id))
        return kept("in_use", "The person is named in what the import did not create.");
      await userTable.remove(io, id);
    },
    undoNote:
      "A person stays who has signed in, or whom an issue or its history or logged time names. Pages and files of theirs are not looked for: Redmine keeps them under “Anonymous”.",
    async people(io) {
      await accountOf(io);
      const all = new Map<string, Person>();
      for (let at: At | null = { cursor: null, since: null, parentId: null }; at; ) {
        const { records, next }: Awaited<ReturnType<typeof everybody>> = await everybody(io, at);
        for (const person of records) all.set(person.id, person);
        at = next && { ...at, cursor: next };
      }
      return [...all.values()];
    },
    customFields: (io) => customFieldsOf(io, "user"),
    fieldSetup,
    urlOf: urlOf(stream),
  });

export const memberCopies = users(projects.users, toMember);
export const agentCopies = users(helpdesk.users, toAgent);
export const memberCanaries = users(projects.users, toMember, "c");
export const agentCanaries = users(helpdesk.users, toAgent, "c");
