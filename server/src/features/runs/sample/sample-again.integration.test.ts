import {
  type Connector,
  type DestinationStream,
  type FamilyRecord,
  type FamilyStream,
  familyStreams,
  type Outcome,
  referencesOf,
} from "@portage/connector-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  copiesIn,
  createSampleFixture,
  sampleCounts as counts,
} from "../../../../../test/runs/sample-fixture.ts";
import type { RunMapping } from "../chunk/chunk-context.ts";
import { asItIs } from "../../../../../test/runs/runs-fixture.ts";

let fixture: Awaited<ReturnType<typeof createSampleFixture>>;
beforeAll(async () => {
  fixture = await createSampleFixture();
});
afterEach(() => fixture.closeTools());
afterAll(() => fixture.drop());

test("run again with another mapping: updates copies that stay, removes the others, renews the review", async () => {
  let mapping = asItIs;
  const one = await fixture.begin({ hostile: false }, {}, { mapping: () => mapping });
  await one.run({ type: "sample_started" });
  const before = await one.sampled();
  const idsBefore = new Map(
    (await one.results("tickets")).map((each) => [each.sourceId, each.destination?.id]),
  );

  // Other records become the odd ones, and the mapping changes all tickets.
  const rows = one.source.source.get("tickets");
  for (const id of ["3", "5", "7"]) rows?.remove(id);
  const leaving = before.filter(({ stream, why }) => stream === "tickets" && why === "chosen").slice(0, 4);
  for (const { id } of leaving) rows?.remove(id);
  mapping = {
    ...asItIs,
    revision: 1,
    apply: (stream, record) =>
      stream.name === "tickets"
        ? {
            record: { ...record, priority: "matched" } as FamilyRecord,
            changes: [{ field: "priority", change: "converted", why: "As you matched it." }],
          }
        : { record, changes: [] },
    differsFrom: (revision, stream) => revision !== 1 && stream === "tickets",
  };
  await one.again();
  expect(await one.status()).toBe("sample_completed");

  const after = await one.sampled();
  const ids = (all: typeof after, stream: string) =>
    all.filter((each) => each.stream === stream).map(({ id }) => id);
  expect(ids(after, "tickets")).not.toEqual(ids(before, "tickets"));
  for (const stream of Object.keys(counts)) {
    expect(copiesIn(one.destination, stream).length, stream).toBe(ids(after, stream).length);
    expect(
      (await one.results(stream)).map(({ sourceId }) => sourceId),
      stream,
    ).toEqual(ids(after, stream));
  }
  const tickets = await one.results("tickets");
  let stayed = 0;
  for (const { sourceId, destination, changes, written } of tickets) {
    const known = idsBefore.get(sourceId);
    if (known) {
      stayed += 1;
      expect(destination?.id, sourceId).toBe(known);
    }
    expect(destination).toMatchObject({ priority: "matched" });
    expect(written).toMatchObject({ priority: "matched" });
    expect(changes).toContainEqual({ field: "priority", change: "converted", why: "As you matched it." });
  }
  expect(stayed).toBeGreaterThan(5);
  expect(stayed).toBeLessThan(tickets.length);
  expect(one.destination.stats()).toMatchObject({ duplicates: 0 });
});

test("an undone sample leaves the destination as it was", async () => {
  const one = await fixture.begin();
  const own = { key: "theirs", id: null, record: { id: "", tags: [] } as unknown as FamilyRecord };
  one.destination.written("tickets").write(own);
  await one.run({ type: "sample_started" });
  expect(one.destination.stats().written).toBeGreaterThan(50);
  await one.run({ type: "undo_started" });
  expect(await one.status()).toBe("migration_cleaned");
  expect(one.destination.stats().written).toBe(1);
  expect(copiesIn(one.destination, "tickets").map(({ key }) => key)).toEqual(["theirs"]);
});

const personOf = async (one: Awaited<ReturnType<typeof fixture.begin>>, sourceId: string) => {
  const { rows } = await fixture.db.pool.query<{
    state: number;
    dest_id: string | null;
    reason: string | null;
  }>(
    "select state, dest_id, reason from ledger where import_id = $1 and stream = 'users' and source_id = $2",
    [one.importId, sourceId],
  );
  return rows[0];
};

/** A person who was in the destination before us. */
const theirs = (one: Awaited<ReturnType<typeof fixture.begin>>) => {
  const record = one.source.source.get("users")?.find("1");
  if (!record) throw new Error("The source has no user 1.");
  return one.destination.written("users").write({ key: "theirs", id: null, record }) ?? "";
};

/** The assignees in the destination of the sample's tickets. */
const assignees = (one: Awaited<ReturnType<typeof fixture.begin>>) =>
  copiesIn(one.destination, "tickets").map(
    ({ record }) => (record as unknown as { assignee: { id: string } | null }).assignee?.id,
  );

/** A mapping with a new revision at each choice: who replaces one person. */
const standingFor = (who: string) => {
  let revision = 0;
  let stands = { kind: "copy" } as ReturnType<RunMapping["personFor"]>;
  let leftOut: string | null = null;
  return {
    mapping: (): RunMapping => ({
      ...asItIs,
      revision,
      includes: (stream) => stream !== leftOut,
      personFor: ({ id }) => (id === who ? stands : { kind: "copy" }),
      differsFrom: (before) => before !== revision,
      makesSameAs: (_, stream, record) =>
        [record, ...referencesOf(stream, record)].every(({ id }) => id !== who),
    }),
    choose: (other: typeof stands, without: string | null = null) => {
      [revision, stands, leftOut] = [revision + 1, other, without];
    },
  };
};

/** A sample with a copied person to whom tickets are assigned. */
const withCopiedPerson = async ({
  lateWriteMs = 500,
  change,
}: {
  readonly lateWriteMs?: number;
  readonly change?: (connector: Connector) => Connector;
} = {}) => {
  const matching = { current: standingFor("") };
  const mapping = () => matching.current.mapping();
  const one = await fixture.begin({ hostile: false }, { lateWriteMs }, { mapping }, {}, change);
  const own = theirs(one);
  await one.run({ type: "sample_started" });
  const assigned = new Set(assignees(one));
  const { rows } = await fixture.db.pool.query<{ id: string; copy: string }>(
    "select source_id as id, dest_id as copy from ledger where import_id = $1 and stream = 'users' and state = 1",
    [one.importId],
  );
  const person = rows.find(({ copy }) => assigned.has(copy));
  if (!person) throw new Error("No person in the sample has a ticket.");
  matching.current = standingFor(person.id);
  return { one, own, person, choose: matching.current.choose };
};

test.each(["sample_started", "full_started"] as const)(
  "a match is chosen for a person whom the sample had copied, then %s: the copy goes, and nothing points to it",
  async (event) => {
    const { one, own, person, choose } = await withCopiedPerson();
    choose({ kind: "person", id: own });
    if (event === "sample_started") await one.again();
    else {
      // The partner pays: another test covers that.
      await fixture.db.pool.query("update imports set status = 'in_preparation' where id = $1", [
        one.importId,
      ]);
      await one.run({ type: event });
    }
    expect(await personOf(one, person.id)).toMatchObject({ state: 2, dest_id: own, reason: null });
    expect(copiesIn(one.destination, "users").map(({ id }) => id)).not.toContain(person.copy);
    expect(assignees(one)).not.toContain(person.copy);
    expect(assignees(one)).toContain(own);
    await one.run({ type: "undo_started" });
    expect(one.destination.stats().written).toBe(1);
    expect(copiesIn(one.destination, "users").map(({ key }) => key)).toEqual(["theirs"]);
  },
);

test("a person loses the match: the copy goes, and their tickets are unassigned", async () => {
  const { one, person, choose } = await withCopiedPerson();
  choose({ kind: "none" });
  await one.again();
  expect(await personOf(one, person.id)).toMatchObject({ state: 3, reason: "user_unmatched" });
  expect(copiesIn(one.destination, "users").map(({ id }) => id)).not.toContain(person.copy);
  expect(assignees(one)).not.toContain(person.copy);
});

test("an edited copy of a person stays when another is chosen: known, reported, and nothing points to it", async () => {
  const { one, own, person, choose } = await withCopiedPerson();
  const users = one.destination.written("users");
  const copy = users.get(person.copy);
  if (!copy) throw new Error("There is no copy.");
  users.write({
    key: copy.key,
    id: person.copy,
    record: { ...copy.record, name: "A person's own words" } as never,
    notify: false,
    keepDates: true,
    keepAuthor: true,
  });
  choose({ kind: "person", id: own });
  await one.again();
  expect(await personOf(one, person.id)).toMatchObject({
    state: 1,
    dest_id: person.copy,
    reason: "replaced",
  });
  expect(copiesIn(one.destination, "users").map(({ id }) => id)).toContain(person.copy);
  expect(assignees(one)).not.toContain(person.copy);
  const link = (await one.partitions()).findLast(
    ({ task, stream }: { task: string; stream: string }) => task === "link" && stream === "users",
  ) as { kept: number; tallies: Record<string, number> };
  expect(link.tallies).toMatchObject({ "reason|kept|edited_since": 1 });
});

test("a person's copy stays as long as copies of a deselected stream may point to it", async () => {
  const { one, own, person, choose } = await withCopiedPerson();
  choose({ kind: "person", id: own }, "tickets");
  await fixture.db.pool.query("update imports set status = 'in_preparation' where id = $1", [one.importId]);
  await one.run({ type: "full_started" });
  expect(assignees(one)).toContain(person.copy);
  expect(await personOf(one, person.id)).toMatchObject({
    state: 1,
    dest_id: person.copy,
    reason: "replaced",
  });
  expect(copiesIn(one.destination, "users").map(({ id }) => id)).toContain(person.copy);
});

type Begun = Awaited<ReturnType<typeof withCopiedPerson>>;

const ticketsIn = ({ one }: Begun) =>
  copiesIn(one.destination, "tickets").map((copy) => ({
    ...copy,
    record: copy.record as FamilyRecord & { readonly assignee: { readonly id: string } | null },
  }));

/** A copied ticket that is assigned to the person. */
const ticketOf = (begun: Begun) => {
  const found = ticketsIn(begun).find(({ record }) => record.assignee?.id === begun.person.copy);
  if (!found) throw new Error("The person has no ticket.");
  return found;
};

/** A copied ticket that has nothing to do with the person. */
const otherTicket = (begun: Begun) => {
  const tickets = familyStreams.helpdesk.find(({ name }) => name === "tickets");
  const found = ticketsIn(begun).find(
    ({ record }) =>
      tickets &&
      record.assignee !== null &&
      referencesOf(tickets, record).every(({ id }) => id !== begun.person.copy),
  );
  if (!found) throw new Error("Every ticket names the person.");
  return found;
};

/** How copies come to name a replaced person still. */
const naming: readonly (readonly [string, "sample_started" | "full_started", (begun: Begun) => void])[] = [
  [
    "somebody has edited",
    "sample_started",
    (begun) => {
      begun.one.destination.written("tickets").edit(ticketOf(begun).id, { subject: "Mine" } as never);
    },
  ],
  [
    "somebody has given to them, and that the run has no reason to write",
    "full_started",
    (begun) => {
      const { record } = ticketOf(begun);
      const change = { assignee: record.assignee } as never;
      begun.one.destination.written("tickets").edit(otherTicket(begun).id, change);
    },
  ],
  [
    "the tool refuses to change",
    "full_started",
    (begun) => {
      const tickets = begun.one.destination.written("tickets");
      const { id } = ticketOf(begun);
      const write = tickets.write.bind(tickets);
      tickets.write = (item, ...more) => (item.id === id ? null : write(item, ...more));
    },
  ],
  [
    "the tool gives to no one else",
    "sample_started",
    ({ one }) => {
      const tickets = one.destination.written("tickets");
      const write = tickets.write.bind(tickets);
      tickets.write = (item, ...more) => {
        const before = item.id === null ? null : tickets.get(item.id);
        const held = before && { assignee: (before.record as unknown as { assignee: unknown }).assignee };
        return write({ ...item, record: { ...item.record, ...held } }, ...more);
      };
    },
  ],
  [
    "are gone from the source",
    "full_started",
    (begun) => {
      begun.one.source.source.get("tickets")?.remove(ticketOf(begun).sourceId);
    },
  ],
];

test.each(naming)("a replaced person's copy stays with copies that %s (%s)", async (_, event, happens) => {
  const begun = await withCopiedPerson();
  const { one, own, person, choose } = begun;
  happens(begun);
  choose({ kind: "person", id: own });
  if (event === "sample_started") await one.again();
  else {
    await fixture.db.pool.query("update imports set status = 'in_preparation' where id = $1", [one.importId]);
    await one.run({ type: event });
  }
  expect(assignees(one)).toContain(person.copy);
  expect(copiesIn(one.destination, "users").map(({ id }) => id)).toContain(person.copy);
  expect(await personOf(one, person.id)).toMatchObject({
    state: 1,
    dest_id: person.copy,
    reason: "replaced",
  });
  const link = (await one.partitions()).findLast(
    ({ task, stream }: { task: string; stream: string }) => task === "link" && stream === "users",
  ) as { tallies: Record<string, number> };
  expect(link.tallies).toMatchObject({ "reason|kept|holds_kept_records": 1 });
});

/** The same tool, but it has one person per address, and matches others with them. */
const onePerAddress = (connector: Connector): Connector => {
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (!["users", "contacts"].includes(stream.stream.name)) return stream;
    const owners = new Map<unknown, string>();
    return {
      ...stream,
      write: async (io, batch) => {
        const outcomes: Outcome<FamilyRecord>[] = [];
        for (const write of batch) {
          const { email } = write.record as unknown as { email: unknown };
          const owner = owners.get(email) ?? "";
          if (write.id === null && (await stream.read(io, [owner]))[0]) {
            outcomes.push({ kind: "matched", id: owner });
            continue;
          }
          const [outcome] = await stream.write(io, [write]);
          if (outcome?.kind === "written") owners.set(email, outcome.id);
          outcomes.push(outcome ?? { kind: "unknown", why: "The tool did not say." });
        }
        return outcomes;
      },
    };
  });
  return { ...connector, destination: { helpdesk: streams } };
};

/** At the source, no ticket names a contact any more. */
const nameNoContacts = ({ source }: Awaited<ReturnType<typeof fixture.begin>>) => {
  const tickets = source.source.get("tickets");
  for (const ticket of tickets?.after(0, 1_000, () => true) ?? []) {
    const fields = referencesOf(tickets?.stream as FamilyStream, ticket).flatMap(({ stream, field }) =>
      stream === "contacts" ? [field] : [],
    );
    const valueOf = (field: string) => (ticket as unknown as Record<string, unknown>)[field];
    const none = fields.map((field) => [field, Array.isArray(valueOf(field)) ? [] : null]);
    tickets?.update(ticket.id, Object.fromEntries(none));
  }
};

test("a copy stays while another record of the new sample is matched with it, and goes with both", async () => {
  const few = { ...counts, contacts: 2, tickets: 30, comments: 0, attachments: 0 };
  const one = await fixture.begin({ hostile: false, counts: few }, {}, {}, {}, onePerAddress);
  const contacts = one.source.source.get("contacts");
  for (const id of ["1", "2"]) contacts?.update(id, { email: "same@example.com" } as never);
  const rowsNow = async () => {
    const { rows } = await fixture.db.pool.query<{ id: string; state: number; copy: string }>(
      "select source_id as id, state, dest_id as copy from ledger where import_id = $1 and stream = 'contacts' order by 1",
      [one.importId],
    );
    return rows;
  };
  await one.run({ type: "sample_started" });
  const [first, second] = await rowsNow();
  expect([first, second]).toMatchObject([{ state: 1 }, { state: 2, copy: first?.copy }]);

  contacts?.remove("1");
  await one.again();
  expect((await one.sampled()).filter(({ stream }) => stream === "contacts")).toMatchObject([{ id: "2" }]);
  expect(copiesIn(one.destination, "contacts").map(({ id }) => id)).toEqual([first?.copy]);
  expect(await rowsNow()).toMatchObject([{ state: 1 }, { state: 2, copy: first?.copy }]);

  contacts?.remove("2");
  nameNoContacts(one);
  await one.again();
  expect(copiesIn(one.destination, "contacts")).toEqual([]);
  expect(await rowsNow()).toMatchObject([{ state: 5 }, { state: 5 }]);
});

test("a replaced person's copy stays while another person is matched with it, and goes with an undo", async () => {
  const matching = standingFor("2");
  // Every copy is written anew: none has to be read to know whom it names.
  const mapping = () => ({ ...matching.mapping(), makesSameAs: () => false });
  const one = await fixture.begin({ hostile: false }, {}, { mapping }, {}, onePerAddress);
  const users = one.source.source.get("users");
  const own = theirs(one);
  for (const id of ["2", "3"]) users?.update(id, { email: "same@example.com" } as never);
  await one.run({ type: "sample_started" });
  const copied = await personOf(one, "2");
  expect(await personOf(one, "3")).toMatchObject({ state: 2, dest_id: copied?.dest_id });
  matching.choose({ kind: "person", id: own });
  await one.again();
  expect(await personOf(one, "2")).toMatchObject({ state: 1, reason: "replaced" });
  expect(await personOf(one, "3")).toMatchObject({ state: 2, dest_id: copied?.dest_id });
  expect(copiesIn(one.destination, "users").map(({ id }) => id)).toContain(copied?.dest_id);
  await one.run({ type: "undo_started" });
  expect(copiesIn(one.destination, "users").map(({ key }) => key)).toEqual(["theirs"]);
});

/** The same tool, but its answer to the removal of a person is lost; then something happens. */
const losingRemovals =
  (meanwhile: () => Promise<void>) =>
  (connector: Connector): Connector => {
    const streams = (connector.destination?.helpdesk ?? []).map((stream) => ({
      ...stream,
      remove: async (...[io, what]: Parameters<NonNullable<typeof stream.remove>>) => {
        if (stream.stream.name !== "users") return (await stream.remove?.(io, what)) ?? [];
        await meanwhile();
        return what.map(() => ({ kind: "unknown" as const, why: "The answer was lost." }));
      },
    }));
    return { ...connector, destination: { helpdesk: streams } };
  };

test("a run that stops while it waits for a removal announces no removal any more, once none can take effect", async () => {
  const stop = { now: async () => {} };
  const { one, own, choose } = await withCopiedPerson({
    lateWriteMs: 3_000,
    change: losingRemovals(() => stop.now()),
  });
  const stopped: number[] = [];
  stop.now = async () => {
    stopped.push(Date.now());
    await one.move({ type: "stop_requested" });
    await one.dispatch();
  };
  choose({ kind: "person", id: own });
  await one.again();
  expect(stopped).toHaveLength(1);
  const announced = await fixture.db.pool.query("select 1 from removing_records where import_id = $1", [
    one.importId,
  ]);
  expect(announced.rows).toEqual([]);
  const link = (await one.partitions()).findLast(
    ({ task, stream }: { task: string; stream: string }) => task === "link" && stream === "users",
  ) as { ended_at: Date; batch_ids: string[] | null };
  expect(link.batch_ids).toBeNull();
  expect(link.ended_at.getTime() - (stopped[0] ?? 0)).toBeGreaterThanOrEqual(3_000);
});
