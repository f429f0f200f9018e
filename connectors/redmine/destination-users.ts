import {
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  type Person,
  projects,
} from "@portage/connector-kit";
import { z } from "zod";
import { askList, askOne, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { customFieldsOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { fieldSetup } from "./field-setup.ts";
import { cleared, ownTimes } from "./losses.ts";
import { nameOf, splitName } from "./people.ts";
import { toAgent, toMember } from "./project-records.ts";
import { loginEnd, loginHasKey, loginOf } from "./quiet.ts";
import { type UserRow, userRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { walkUsers } from "./walks.ts";
import { gone, kept, otherKey, removeEach, writeEach, type Writer } from "./write-each.ts";

interface Human extends FamilyRecord {
  readonly name: string;
  readonly email: string | null;
  readonly active: boolean;
}

const active = 1;
const locked = 3;

const ask = (io: RedmineIo, id: string) =>
  /^\d{1,9}$/.test(id) ? askOne(io, `users/${id}.json`, "user", userRow) : Promise.resolve(null);

const search = async (io: RedmineIo, name: string) =>
  (await askList(io, "users.json", "users", userRow, { name, status: "", limit: 100 })).rows;

/** Redmine requires an address; the domain .invalid can't receive mail. */
const placeholder = (login: string) => `${login}@portage.invalid`;

const everybody = walkUsers(
  async (_io, row, isActive): Promise<Person> => ({
    id: String(row.id),
    name: nameOf(row),
    email: row.mail || null,
    active: isActive,
  }),
);

const users = <T extends Human>(
  stream: DestinationStream<T>["stream"],
  toRecord: (io: RedmineIo, row: UserRow, active: boolean) => Promise<T>,
): DestinationStream<T, Settings> => {
  const shown = async (io: RedmineIo, row: UserRow): Promise<T> => {
    const record = await toRecord(io, row, row.status === active);
    const email = record.email?.endsWith("@portage.invalid") ? null : record.email;
    return { ...record, email };
  };
  const made = async (
    io: RedmineIo,
    row: UserRow,
    { custom_fields, ...fields }: Awaited<ReturnType<typeof fieldsOf>> & Pick<UserRow, "mail" | "admin">,
  ) => ({
    id: String(row.id),
    record: await shown(io, row),
    sent: await shown(io, { ...row, ...fields, custom_fields: sentValues(custom_fields) }),
  });
  const fieldsOf = async (io: RedmineIo, { name, active: isActive, customFields }: T) => ({
    ...splitName(name),
    status: isActive ? active : locked,
    custom_fields: await writeCustomValues(io, "user", customFields),
  });
  const writer: Writer<T> = {
    stream,
    reasons: {
      name: "Redmine allows a first and a last name of 30 characters each.",
      role: "An import never creates administrators.",
      email: "Redmine did not accept the address.",
      customFields: "Redmine's users have no such field.",
      active: "Redmine did not accept this status.",
    },
    async find(io, asked) {
      await catalogOf(io).account();
      const found = new Map<string, readonly string[]>();
      for (const { key } of asked) {
        const rows = (await search(io, loginEnd(key))).filter(({ login }) => loginHasKey(login, key));
        found.set(
          key,
          rows.map(({ id }) => String(id)),
        );
      }
      return found;
    },
    async create(io, { key, record }) {
      const wanted = record.email?.toLowerCase();
      const owner = wanted
        ? (await search(io, wanted)).find(({ mail }) => mail?.toLowerCase() === wanted)
        : null;
      if (owner) return { matched: String(owner.id) };
      const login = loginOf(key, record.email, record.name);
      const fields = await fieldsOf(io, record);
      const post = async (mail: string) => {
        const answer = await send(io, {
          url: "users.json",
          method: "POST",
          json: {
            user: {
              ...fields,
              login,
              mail,
              generate_password: true,
              // The person turns notifications on after taking over the account.
              mail_notification: "none",
            },
            pref: { no_self_notified: "1", notify_about_high_priority_issues: "0", auto_watch_on: [""] },
          },
        });
        return { answer, mail };
      };
      const { answer, mail } = await post(record.email ?? placeholder(login)).catch((error: unknown) => {
        // Other tools accept addresses that Redmine does not, such as root@localhost.
        if (record.email === null || !(error instanceof ConnectorError) || error.status !== 422) throw error;
        return post(placeholder(login));
      });
      return made(io, answer.json(z.object({ user: userRow })).user, { ...fields, mail, admin: false });
    },
    async change(io, { record }, id) {
      const before = await ask(io, id);
      const fields = await fieldsOf(io, record);
      await send(io, { url: `users/${id}.json`, method: "PUT", json: { user: fields } });
      const row = await ask(io, id);
      if (row && before) return made(io, row, { ...fields, mail: before.mail, admin: before.admin });
      throw new ConnectorError({ recovery: "skip-record", code: "not_found", message: "The user is gone." });
    },
    lane: ({ email, id }) => email ?? id,
  };
  return {
    stream,
    batchSize: 20,
    idempotency: "lookup",
    guarantees: ["silent"],
    drops: [...ownTimes(""), cleared("tags", "Redmine's users have no tags.")],
    find: writer.find,
    write: (io, batch) => writeEach(io, writer, batch),
    async read(io, ids) {
      await catalogOf(io).account();
      return Promise.all(
        ids.map(async (id) => {
          const row = await ask(io, id);
          return row ? shown(io, row) : null;
        }),
      );
    },
    remove: (io, what) =>
      removeEach(io, what, async (id, key) => {
        const row = await ask(io, id);
        if (!row) return gone;
        if (!loginHasKey(row.login, key)) return otherKey;
        if (row.last_login_on) return kept("in_use", "The person has signed in since.");
        await send(io, { url: `users/${id}.json`, method: "DELETE", accept: [404] });
        return gone;
      }),
    async people(io) {
      const all: Person[] = [];
      for (let cursor = null, more = true; more; ) {
        const page = await everybody(io, { cursor, since: null, parentId: null });
        all.push(...page.records);
        more = page.next !== null;
        cursor = page.next as null;
      }
      return [...new Map(all.map((person) => [person.id, person])).values()];
    },
    customFields: (io) => customFieldsOf(io, "user"),
    fieldSetup,
    urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/+$/, "")}/users/${id}`,
  };
};

export const memberCopies = users(projects.users, toMember);
export const agentCopies = users(helpdesk.users, toAgent);
