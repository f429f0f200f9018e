import {
  type Connector,
  ConnectorError,
  type FamilyRecord,
  familyStreams,
  referencesOf,
} from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import {
  copiesOf,
  edit,
  findingByParent,
  moving,
  plain,
  total,
  useKinds,
} from "../../../../../test/runs/kinds-fixture.ts";

const { given, ledgerId, database } = useKinds();
/** The key of a row that no import wrote. */
const byHand = "";
type Tool = Parameters<typeof copiesOf>[0];

/** All that is there, as `stream/id`. */
const left = (tool: Tool): readonly string[] =>
  familyStreams.helpdesk
    .flatMap(({ name }) => copiesOf(tool, name).map(({ id }) => `${name}/${id}`))
    .toSorted();

/** These copies with all their targets, and the targets of those. */
const whole = (tool: Tool, stream: string, ids: readonly string[]): readonly string[] => {
  const found = new Set<string>();
  const waiting = ids.map((id) => ({ stream, id }));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { stream: name, id } = next;
    const row = tool.written(name).get(id);
    const described = familyStreams.helpdesk.find((each) => each.name === name);
    if (!row || !described || found.has(`${name}/${id}`)) continue;
    found.add(`${name}/${id}`);
    waiting.push(...referencesOf(described, row.record));
  }
  return [...found].toSorted();
};

/** Comments take effect, and then no call is permitted any more. */
const signedOutAfterComments = (signOut: () => void): Connector => {
  const connector = findingByParent();
  const streams = (connector.destination?.helpdesk ?? []).map((stream) =>
    stream.stream.name === "comments"
      ? {
          ...stream,
          write: async (...args: Parameters<typeof stream.write>) => {
            await stream.write(...args);
            signOut();
            throw new ConnectorError({
              recovery: "reauthorize",
              code: "unauthorized",
              message: "Signed out.",
            });
          },
        }
      : stream,
  );
  return { ...connector, destination: { helpdesk: streams } };
};

/** The same tool, but it matches the first record of a stream with this copy; then something happens before it answers. */
const matchingOnce = (name: string, id: string, meanwhile: () => Promise<void>): Connector => {
  const connector = plain();
  let isFirst = true;
  const streams = (connector.destination?.helpdesk ?? []).map((stream) => ({
    ...stream,
    write: async (...[io, batch]: Parameters<typeof stream.write>) => {
      if (stream.stream.name !== name || !isFirst) return stream.write(io, batch);
      isFirst = false;
      const outcomes = await stream.write(io, batch.slice(1));
      await meanwhile();
      return [{ kind: "matched" as const, id }, ...outcomes];
    },
  }));
  return { ...connector, destination: { helpdesk: streams } };
};

describe("undo", () => {
  test("edited copies stay and are listed; the rest goes; starting over makes no second copy of them", async () => {
    const { one, destination } = await given();
    await one.run({ type: "full_started" });
    const kept = await ledgerId(one.importId, "5");
    const goneLater = await ledgerId(one.importId, "6");
    edit(destination, kept, { subject: "mine now" });
    edit(destination, goneLater, { subject: "mine too" });
    const stays = whole(destination, "tickets", [kept, goneLater]);
    // People that they name are among it: those that this import made.
    expect(stays.some((each) => each.startsWith("users/"))).toBe(true);
    await one.run({ type: "undo_started" });
    expect(await one.status()).toBe("migration_cleaned");
    expect(copiesOf(destination, "tickets").map(({ id }) => id)).toEqual([kept, goneLater]);
    expect(left(destination)).toEqual(stays);
    destination.written("tickets").remove(goneLater);
    await one.move({ type: "started_over" });
    await one.run({ type: "full_started" });
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("a copy from which a person deleted our key is not said to be gone: it stays, with what it names", async () => {
    const { one, destination } = await given();
    await one.run({ type: "full_started" });
    const id = await ledgerId(one.importId, "5");
    edit(destination, id, { subject: "mine now" }, "tickets", byHand);
    const stays = whole(destination, "tickets", [id]);
    await one.run({ type: "undo_started" });
    expect(await one.ledger()).toContainEqual(
      expect.objectContaining({ stream: "tickets", reason: "key_gone", n: 1 }),
    );
    expect(left(destination)).toEqual(stays);
  });

  test("fields that the tool itself moves are not a person's edit", async () => {
    const { one, destination } = await given({ connector: moving(["channel"]) });
    await one.run({ type: "full_started" });
    edit(destination, await ledgerId(one.importId, "5"), { channel: "moved by itself" });
    const kept = await ledgerId(one.importId, "6");
    edit(destination, kept, { channel: "moved by itself", subject: "mine now" });
    await one.run({ type: "undo_started" });
    expect(copiesOf(destination, "tickets").map(({ id }) => id)).toEqual([kept]);
  });

  test.each([
    ["a tool that finds copies by their keys", plain],
    ["a tool that finds comments in their tickets alone", findingByParent],
  ])("in %s, the owner of an edited record stays with it", async (_, connector) => {
    const { one, destination } = await given({ connector: connector() });
    await one.run({ type: "full_started" });
    const comment = copiesOf(destination, "comments")[0];
    if (!comment) throw new Error("no comment");
    const { ticketId } = comment.record as unknown as { ticketId: string };
    const body = { format: "plain", text: "mine now", references: [] };
    destination.written("comments").write({
      ...comment,
      record: { ...comment.record, body } as unknown as FamilyRecord,
      notify: false,
      keepDates: true,
      keepAuthor: true,
    });
    const stays = whole(destination, "comments", [comment.id]);
    await one.run({ type: "undo_started" });
    expect(copiesOf(destination, "tickets").map(({ id }) => id)).toEqual([ticketId]);
    expect(left(destination)).toEqual(stays);
  });

  test("a copy that the tool keeps stays with all that it names", async () => {
    const connector = plain();
    const streams = (connector.destination?.helpdesk ?? []).map((stream) => ({
      ...stream,
      remove: async (...[io, what]: Parameters<NonNullable<typeof stream.remove>>) =>
        stream.stream.name === "tickets"
          ? what.map(() => ({ kind: "kept" as const, code: "in_use", message: "It is in use." }))
          : ((await stream.remove?.(io, what)) ?? []),
    }));
    const { one, destination } = await given({
      connector: { ...connector, destination: { helpdesk: streams } },
    });
    await one.run({ type: "full_started" });
    const tickets = copiesOf(destination, "tickets").map(({ id }) => id);
    const stays = whole(destination, "tickets", tickets);
    expect(stays.length).toBeGreaterThan(tickets.length);
    await one.run({ type: "undo_started" });
    expect(left(destination)).toEqual(stays);
  });

  test("a write without an answer does not count as gone, even if comments are found only by ticket", async () => {
    const gone: { add(side: string): unknown }[] = [];
    const { one, destination } = await given({
      connector: signedOutAfterComments(() => gone[0]?.add("destination")),
    });
    gone.push(one.gone);
    await one.run({ type: "full_started" });
    const unanswered = copiesOf(destination, "comments").length;
    expect(unanswered).toBeGreaterThan(0);
    await one.move({ type: "stop_requested" });
    const sent = await one.dispatch();
    await database().query(
      "update partitions set batch_deadline = now() - interval '5 minutes' where import_id = $1 and batch_ids is not null",
      [one.importId],
    );
    await one.work(sent);
    expect(await one.status()).toBe("in_preparation");
    expect(await one.ledger()).toContainEqual(
      expect.objectContaining({ stream: "comments", reason: "in_doubt", n: unanswered }),
    );
    one.gone.clear();
    const ids = copiesOf(destination, "comments").map(({ id }) => id);
    const stays = whole(destination, "comments", ids);
    await one.run({ type: "undo_started" });
    expect(await one.status()).toBe("migration_cleaned");
    // Their content at creation is unknown, so they may have been edited.
    expect(await one.ledger()).toContainEqual(
      expect.objectContaining({ stream: "comments", reason: "maybe_edited", n: unanswered }),
    );
    expect(left(destination)).toEqual(stays);
  });

  test("of two imports into one destination, undoing one leaves the other whole", async () => {
    const { one, destination } = await given();
    await one.run({ type: "full_started" });
    const { one: other } = await given({ destination });
    await other.run({ type: "full_started" });
    expect(destination.stats().written).toBe(2 * total);
    await one.run({ type: "undo_started" });
    expect(destination.stats().written).toBe(total);
    expect((await other.ledger()).every(({ state }) => state === 1)).toBe(true);
    await other.run({ type: "delta_started", withinWindow: true });
    const verified = (await other.partitions())
      .filter(({ task }: { task: string }) => task === "verify")
      .map(({ tallies }: { tallies: Record<string, number> }) => tallies["count|verified|same"] ?? 0);
    expect(verified.reduce((sum: number, n: number) => sum + n, 0)).toBe(2 * total);
  });

  test("records with which the tool matched a page are read once more with one call, each once", async () => {
    const { one, destination } = await given();
    await one.run({ type: "full_started" });
    const copies = copiesOf(destination, "contacts").map(({ id }) => id);
    const connector = plain();
    const read: (readonly string[])[] = [];
    const streams = (connector.destination?.helpdesk ?? []).map((stream) => ({
      ...stream,
      write: async (...[io, batch]: Parameters<typeof stream.write>) =>
        stream.stream.name === "contacts"
          ? // Two records each are one in the tool.
            batch.map(({ record }) => ({
              kind: "matched" as const,
              id: copies[Math.floor((Number(record.id) - 1) / 2)] ?? "",
            }))
          : stream.write(io, batch),
      read: async (...[io, ids]: Parameters<typeof stream.read>) => {
        if (stream.stream.name === "contacts") read.push(ids);
        return stream.read(io, ids);
      },
    }));
    const { one: other } = await given({
      destination,
      connector: { ...connector, destination: { helpdesk: streams } },
    });
    await other.run({ type: "full_started" });
    const contacts = (await other.ledger()).filter(({ stream }) => stream === "contacts");
    expect(contacts).toEqual([{ stream: "contacts", state: 2, reason: null, n: 20 }]);
    expect(read.map((ids) => ids.length)).toEqual([10]);
  });

  test("a record that an undo removes before another import has registered its match is no match", async () => {
    const { one, destination } = await given();
    await one.run({ type: "full_started" });
    const copy = copiesOf(destination, "contacts")[0]?.id ?? "";
    const { one: other } = await given({
      destination,
      connector: matchingOnce("contacts", copy, () => one.run({ type: "undo_started" })),
    });
    await other.run({ type: "full_started" });
    expect(await one.status()).toBe("migration_cleaned");
    expect(copiesOf(destination, "contacts").map(({ id }) => id)).not.toContain(copy);
    const contacts = (await other.ledger()).filter(({ stream }) => stream === "contacts");
    expect(contacts).toContainEqual({ stream: "contacts", state: 4, reason: "being_removed", n: 1 });
    expect(contacts.filter(({ state }) => state === 2)).toEqual([]);
    const [copying] = (await other.partitions()).filter(
      ({ task, stream }: { task: string; stream: string }) => task === "copy" && stream === "contacts",
    ) as { matched: string; failed: string; tallies: Record<string, number> }[];
    expect(copying).toMatchObject({ tallies: { "reason|failed|being_removed": 1 } });
    expect([Number(copying?.matched), Number(copying?.failed)]).toEqual([0, 1]);
    await other.run({ type: "retry_started", withinWindow: true });
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });
});
