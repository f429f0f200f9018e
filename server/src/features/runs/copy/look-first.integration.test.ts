import { ConnectorError, type DestinationStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import {
  copiesOf,
  edit,
  findingByParent,
  plain,
  subjectOf,
  total,
  useKinds,
} from "../../../../../test/runs/kinds-fixture.ts";
import { recognizeServer } from "../lifecycle/store-servers.ts";

const { given, opened } = useKinds();
type Given = Awaited<ReturnType<typeof given>>;

/** As if a backup from before the run of this number had been restored; the destination keeps what the run wrote. */
const rewind = async ({ one }: Given, number: number) => {
  const { pool } = opened();
  const at = [one.importId, number];
  await pool.query("delete from runs where import_id = $1 and number >= $2", at);
  await pool.query("delete from ledger where import_id = $1 and run_number >= $2", at);
  await pool.query("delete from pending_links where import_id = $1", [one.importId]);
  await pool.query(
    "update database_servers set timeline = timeline - 1 where no = (select max(no) from database_servers)",
  );
  expect(await recognizeServer(opened())).toBeDefined();
};

const rowsOf = async ({ one }: Given) => {
  const rows = await one.ledger();
  return rows.map(({ stream, state, reason, n }) => [stream, state, reason, n]);
};

/** What the copy of the last run counted. */
const countedBy = async ({ one }: Given) => {
  const { rows } = await opened().pool.query(
    `select sum(created)::int as created, sum(updated)::int as updated, sum(read)::int as read from partitions p
     where p.task = 'copy' and p.run_id = (select id from runs where import_id = $1 order by number desc limit 1)`,
    [one.importId],
  );
  return rows[0] as object;
};

const everything = [
  ["comments", 1, null, 120],
  ["contacts", 1, null, 20],
  ["tickets", 1, null, 150],
  ["users", 1, null, 5],
];

test("a lost run's copies are found and completed, each under its own key", async () => {
  const it = await given({ connector: findingByParent() });
  await it.one.run({ type: "full_started" });
  await rewind(it, 1);
  const ids = copiesOf(it.destination, "tickets").map(({ id }) => id);
  // A write of several requests was interrupted: the copy lacks the rest.
  const [half = ""] = ids;
  const subject = subjectOf(it.destination, half);
  edit(it.destination, half, { subject: "half" });
  await it.one.run({ type: "delta_started", withinWindow: true });
  expect(await it.one.status()).toBe("migration_completed");
  expect(it.destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  expect(await rowsOf(it)).toEqual(everything);
  expect(await countedBy(it)).toEqual({ created: total, updated: 0, read: total });
  expect(copiesOf(it.destination, "tickets").map(({ id }) => id)).toEqual(ids);
  expect(subjectOf(it.destination, half)).toBe(subject);
});

test("a later run with another number finds what a lost run wrote", async () => {
  const it = await given();
  await it.one.run({ type: "full_started" });
  const tickets = it.source.source.get("tickets");
  const like = tickets?.find("1");
  if (like) tickets?.add({ ...like, updatedAt: new Date().toISOString() });
  await it.one.run({ type: "delta_started", withinWindow: true });
  expect(it.destination.stats().written).toBe(total + 1);
  await rewind(it, 2);
  // The second run is another one now; only the third reads what the lost second one copied.
  await it.one.run({ type: "retry_started", withinWindow: true });
  await it.one.run({ type: "delta_started", withinWindow: true });
  expect(it.destination.stats()).toMatchObject({ written: total + 1, duplicates: 0 });
  const ledger = await it.one.ledger();
  expect(ledger.reduce((sum, { n }) => sum + n, 0)).toBe(total + 1);
});

test("a destination is never asked for more keys at once than a page has records", async () => {
  const connector = plain();
  let most = 0;
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream => ({
      ...stream,
      find: (io, asked) => {
        most = Math.max(most, asked.length);
        return stream.find(io, asked);
      },
    }),
  );
  const it = await given({ connector: { ...connector, destination: { helpdesk: streams } } });
  await it.one.run({ type: "full_started" });
  await rewind(it, 1);
  await it.one.run({ type: "delta_started", withinWindow: true });
  expect(most).toBe(100);
  expect(it.destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

test("a record whose look-up the tool refuses is not written", async () => {
  const connector = plain();
  let refuses = false;
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream => ({
      ...stream,
      find: async (io, asked) => {
        if (refuses && stream.stream.name === "users")
          throw new ConnectorError({ recovery: "skip-record", code: "forbidden", message: "Not for you." });
        return stream.find(io, asked);
      },
    }),
  );
  const it = await given({ connector: { ...connector, destination: { helpdesk: streams } } });
  await it.one.run({ type: "full_started" });
  await rewind(it, 1);
  refuses = true;
  const moved = await it.one.move({ type: "delta_started", withinWindow: true });
  expect(moved.kind).toBe("moved");
  const { signal } = new AbortController();
  let chunks = await it.one.dispatch();
  const users = async () =>
    (await it.one.partitions()).some(
      ({ task, stream, batch_ids: ids }) => task === "copy" && stream === "users" && ids !== null,
    );
  while (!(await users())) {
    const ended = await Promise.all(chunks.map((chunk) => it.one.runs.workChunk(chunk, { signal })));
    chunks = ended.flatMap(({ send }) => send);
  }
  expect(it.destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  refuses = false;
  await opened().pool.query(
    "update partitions set batch_deadline = now() - interval '1 hour', due_at = now() where batch_ids is not null",
  );
  await it.one.work(await it.one.runs.findOverdue(100));
  expect(await it.one.status()).toBe("migration_completed");
  expect(it.destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  expect(await rowsOf(it)).toEqual(everything);
});
