import { type Connector, ConnectorError, type FamilyRecord } from "@portage/connector-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { copiesIn, createSampleFixture } from "../../../../../test/runs/sample-fixture.ts";
import { asItIs } from "../../../../../test/runs/runs-fixture.ts";
import { loadMapping, saveMapping } from "../../mapping/index.ts";
import { createChooseMapping } from "../prepare/choose-mapping.ts";
import { createLoadMapping } from "../prepare/run-mapping.ts";

let fixture: Awaited<ReturnType<typeof createSampleFixture>>;
beforeAll(async () => {
  fixture = await createSampleFixture();
});
afterEach(() => fixture.closeTools());
afterAll(() => fixture.drop());

/** Only tickets have a custom field that holds a person. */
const withLead = { ...asItIs, personFields: (stream: string) => (stream === "tickets" ? ["lead"] : []) };

const assigned = (id: string | null) =>
  ({
    assignee: id === null ? null : { stream: "users", id, name: null, email: null },
  }) as unknown as Partial<FamilyRecord>;

/** The same tool, but it shows no tickets that are in `hidden`. */
const hiding =
  (hidden: ReadonlySet<string>) =>
  (connector: Connector): Connector => {
    const streams = (connector.destination?.helpdesk ?? []).map((stream) => ({
      ...stream,
      read: async (...[io, ids]: Parameters<typeof stream.read>) => {
        if (stream.stream.name === "tickets" && ids.some((id) => hidden.has(id)))
          throw new ConnectorError({ recovery: "skip-record", code: "forbidden", message: "Not for you." });
        return stream.read(io, ids);
      },
    }));
    return { ...connector, destination: { helpdesk: streams } };
  };

/** A sample with a person who is in it only because one ticket names them. */
const withNewcomer = async () => {
  const hidden = new Set<string>();
  const one = await fixture.begin({ hostile: false }, {}, { mapping: withLead }, {}, hiding(hidden));
  await one.run({ type: "sample_started" });
  const users = one.source.source.get("users");
  const tickets = one.source.source.get("tickets");
  const [ticket, other] = (await one.sampled()).filter(
    ({ stream, why }) => stream === "tickets" && why === "chosen",
  );
  const somebody = users?.find("1");
  if (!users || !tickets || !ticket || !other || !somebody)
    throw new Error("The sample has too few records.");
  await fixture.db.pool.query(
    "update sample_records set why = 'added' where import_id = $1 and stream = 'tickets' and source_id = any($2)",
    [one.importId, [ticket.id, other.id]],
  );
  const newcomer = users.add({
    ...somebody,
    name: "New Here",
    email: "new.here@example.com",
  } as FamilyRecord);
  tickets.update(ticket.id, assigned(newcomer));
  await one.again();
  const copyOf = async (stream: string, id: string) => {
    const { rows } = await fixture.db.pool.query<{ copy: string }>(
      "select dest_id as copy from ledger where import_id = $1 and stream = $2 and source_id = $3",
      [one.importId, stream, id],
    );
    return rows[0]?.copy ?? "";
  };
  const copies = {
    newcomer: await copyOf("users", newcomer),
    ticket: await copyOf("tickets", ticket.id),
    other: await copyOf("tickets", other.id),
  };
  expect(one.destination.written("tickets").get(copies.ticket)?.record).toMatchObject({
    assignee: { id: copies.newcomer },
  });
  return { one, newcomer, ticket: ticket.id, copies, users, tickets, hidden };
};

type Begun = Awaited<ReturnType<typeof withNewcomer>>;

const rowOf = async ({ one, newcomer }: Begun) => {
  const { rows } = await fixture.db.pool.query<{ state: number; reason: string | null }>(
    "select state, reason from ledger where import_id = $1 and stream = 'users' and source_id = $2",
    [one.importId, newcomer],
  );
  return rows[0];
};

const people = ({ one }: Begun) => copiesIn(one.destination, "users").map(({ id }) => id);

test("a person who leaves the sample goes, after the ticket that named them names another", async () => {
  const begun = await withNewcomer();
  const { one, newcomer, ticket, copies, users, tickets } = begun;
  tickets.update(ticket, assigned("1"));
  users.remove(newcomer);
  await one.again();
  expect(await one.sampled()).not.toContainEqual(expect.objectContaining({ stream: "users", id: newcomer }));
  expect(await rowOf(begun)).toMatchObject({ state: 5 });
  expect(people(begun)).not.toContain(copies.newcomer);
  expect(one.destination.written("tickets").get(copies.ticket)?.record).not.toMatchObject({
    assignee: { id: copies.newcomer },
  });
});

/** How a copy that stays in the sample comes to name a person who leaves it. */
const naming: readonly (readonly [string, (begun: Begun) => void])[] = [
  [
    "that somebody has edited",
    ({ one, ticket, tickets, copies }) => {
      one.destination.written("tickets").edit(copies.ticket, { subject: "Mine" } as never);
      tickets.update(ticket, assigned("1"));
    },
  ],
  [
    "that somebody has given to them",
    ({ one, ticket, tickets, copies }) => {
      one.destination.written("tickets").edit(copies.other, assigned(copies.newcomer));
      tickets.update(ticket, assigned("1"));
    },
  ],
  [
    "that names them in a custom field",
    ({ one, ticket, tickets, copies }) => {
      one.destination.written("tickets").edit(copies.other, { customFields: { lead: copies.newcomer } });
      tickets.update(ticket, assigned("1"));
    },
  ],
  [
    "that the tool refuses to change",
    ({ one, ticket, tickets, copies }) => {
      const rows = one.destination.written("tickets");
      const write = rows.write.bind(rows);
      rows.write = (item, ...more) => (item.id === copies.ticket ? null : write(item, ...more));
      tickets.update(ticket, assigned("1"));
    },
  ],
  ["whose original still names them", () => {}],
  [
    "that the tool does not show any more",
    ({ ticket, tickets, copies, hidden }) => {
      hidden.add(copies.ticket);
      tickets.update(ticket, assigned("1"));
    },
  ],
];

test.each(naming)("a person who leaves the sample stays with a copy %s", async (_, happens) => {
  const begun = await withNewcomer();
  const { one, newcomer, copies, users } = begun;
  happens(begun);
  users.remove(newcomer);
  await one.again();
  expect(await one.status()).toBe("sample_completed");
  expect(await one.sampled()).not.toContainEqual(expect.objectContaining({ stream: "users", id: newcomer }));
  expect(people(begun)).toContain(copies.newcomer);
  expect(await rowOf(begun)).toMatchObject({ state: 6, reason: "holds_kept_records" });
});

test("an undo leaves a person whom a copy that stays names in a custom field", async () => {
  const one = await fixture.begin(
    { hostile: false },
    {},
    { chooseMapping: createChooseMapping(fixture), loadMapping: createLoadMapping(fixture.db) },
  );
  await one.run({ type: "sample_started" });
  const { mapping, revision } = await loadMapping(fixture.db, one.importId);
  const tickets = mapping.streams["tickets"] ?? {
    fields: {},
    words: {},
    fills: {},
    source: {},
    destination: {},
  };
  const lead = { label: "Lead", type: "person" as const, options: null, maxLength: null };
  const destination = { ...tickets.destination, lead };
  const streams = { ...mapping.streams, tickets: { ...tickets, destination } };
  const saved = { mapping: { ...mapping, streams }, based: revision, actor: "customer" as const };
  expect(await saveMapping(fixture.db, one.importId, saved)).toMatchObject({ kind: "saved" });
  await one.again();

  const [ticket] = copiesIn(one.destination, "tickets");
  const named = ticket?.record as unknown as Record<string, { readonly id: string } | null>;
  const person = copiesIn(one.destination, "users").find(
    ({ id }) => !JSON.stringify(named).includes(`"${id}"`),
  );
  if (!ticket || !person) throw new Error("The sample has too few records.");
  one.destination.written("tickets").edit(ticket.id, { customFields: { lead: person.id } });
  await one.run({ type: "undo_started" });
  expect(copiesIn(one.destination, "tickets").map(({ id }) => id)).toEqual([ticket.id]);
  expect(copiesIn(one.destination, "users").map(({ id }) => id)).toContain(person.id);
});
