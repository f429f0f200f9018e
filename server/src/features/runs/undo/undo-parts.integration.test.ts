import { type FamilyRecord, familyStreams } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { copiesOf, edit, takingCommentsAlong, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";

const { given, database } = useKinds();

interface Comment {
  readonly ticketId: string;
  readonly author: { readonly stream: string; readonly id: string } | null;
}

const commentsOf = (tool: StandIn, ticketId: string) =>
  copiesOf(tool, "comments").filter(({ record }) => (record as unknown as Comment).ticketId === ticketId);

/** A ticket with comments, in a tool that removes those only with it. */
const moved = async () => {
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const { one } = await given({ destination, connector: takingCommentsAlong(destination) });
  await one.run({ type: "full_started" });
  const [first] = copiesOf(destination, "comments");
  if (!first) throw new Error("no comment");
  const { ticketId } = first.record as unknown as Comment;
  const comments = async () => (await one.ledger()).filter(({ stream }) => stream === "comments");
  return { one, destination, ticketId, comments };
};

test("parts that go with their owner count as gone, and keep nothing", async () => {
  const { one, destination, comments } = await moved();
  const before = copiesOf(destination, "comments").length;
  await one.run({ type: "undo_started" });
  for (const { name } of familyStreams.helpdesk) expect(copiesOf(destination, name)).toEqual([]);
  expect(await comments()).toEqual([expect.objectContaining({ reason: null, n: before })]);
  const removed = (await one.partitions())
    .filter(({ task, stream }) => task === "remove" && stream === "comments")
    .map(({ removed: count }) => Number(count));
  // Checked first, and settled when their tickets were gone.
  expect(removed).toEqual([0, before]);
});

test("parts stay with an owner that stays, and so do the people they name", async () => {
  const { one, destination, ticketId, comments } = await moved();
  const parts = commentsOf(destination, ticketId);
  edit(destination, ticketId, { subject: "mine now" });
  await one.run({ type: "undo_started" });
  expect(copiesOf(destination, "tickets").map(({ id }) => id)).toEqual([ticketId]);
  expect(copiesOf(destination, "comments")).toEqual(parts);
  expect(await comments()).toContainEqual(
    expect.objectContaining({ reason: "cannot_be_removed", n: parts.length }),
  );
  for (const { record } of parts) {
    const { author } = record as unknown as Comment;
    if (author) expect(destination.written(author.stream).get(author.id)).toBeDefined();
  }
});

test("a part that a person edited keeps its owner, which would have taken it along", async () => {
  const { one, destination, ticketId, comments } = await moved();
  const parts = commentsOf(destination, ticketId);
  const [mine] = parts;
  if (!mine) throw new Error("no comment");
  const body = { format: "plain", text: "mine now", references: [] };
  destination.written("comments").write({
    ...mine,
    record: { ...mine.record, body } as unknown as FamilyRecord,
    notify: false,
    keepDates: true,
    keepAuthor: true,
  });
  await one.run({ type: "undo_started" });
  expect(copiesOf(destination, "tickets").map(({ id }) => id)).toEqual([ticketId]);
  expect(copiesOf(destination, "comments").map(({ id }) => id)).toEqual(parts.map(({ id }) => id));
  expect(await comments()).toContainEqual(expect.objectContaining({ reason: "edited_since", n: 1 }));
});

/** An undo up to the planning of its steps. */
const laidOut = async ({ one }: Awaited<ReturnType<typeof moved>>) => {
  await one.move({ type: "undo_started" });
  const [prepare] = await one.dispatch();
  if (!prepare) throw new Error("nothing to do");
  return (await one.runs.workChunk(prepare, { signal: AbortSignal.timeout(60_000) })).send;
};

test("an undo planned without a check takes parts along, too", async () => {
  const begun = await moved();
  const send = await laidOut(begun);
  const ofComments = `import_id = '${begun.one.importId}' and task = 'remove' and stream = 'comments'`;
  await database().query(`delete from partitions where ${ofComments} and slice is null`);
  await database().query(`update partitions set slice = null where ${ofComments}`);
  await begun.one.work(send);
  expect(await begun.one.status()).toBe("migration_cleaned");
  expect(copiesOf(begun.destination, "tickets")).toEqual([]);
  expect(copiesOf(begun.destination, "comments")).toEqual([]);
});

test("a check announces only what it removes itself", async () => {
  const begun = await moved();
  let send = await laidOut(begun);
  const isLookedAt = async () =>
    (await begun.one.partitions()).some(
      ({ stream, slice, state }) => stream === "comments" && slice === "look" && state === "done",
    );
  for (let n = 0; n < 20 && !(await isLookedAt()); n += 1)
    send = (
      await Promise.all(
        send.map((chunk) => begun.one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
      )
    ).flatMap((end) => end.send);
  expect(await isLookedAt()).toBe(true);
  const { rows } = await database().query("select 1 from removing_records where import_id = $1", [
    begun.one.importId,
  ]);
  expect(rows).toEqual([]);
  await begun.one.work(send);
  expect(await begun.one.status()).toBe("migration_cleaned");
});
