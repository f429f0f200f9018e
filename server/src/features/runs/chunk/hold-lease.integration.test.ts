import type { Connector, DestinationStream } from "@portage/connector-kit";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { plain, useKinds } from "../../../../../test/runs/kinds-fixture.ts";

const { given, database } = useKinds();

/** Longer than the lease of the test fixture. */
const slowMs = 5_000;

/** A tool that takes long to return its copies. */
const slowToRead = (read: (signal: AbortSignal) => Promise<unknown>): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream =>
      stream.stream.name === "tickets"
        ? {
            ...stream,
            read: async (io, ids) => {
              await read(io.signal);
              return stream.read(io, ids);
            },
          }
        : stream,
  );
  return { ...connector, destination: { helpdesk: streams } };
};

test("a page that takes longer than a lease is not considered lost, and is read once", async () => {
  let reads = 0;
  const connector = slowToRead(async () => {
    reads += 1;
    await sleep(slowMs);
  });
  const { one } = await given({ connector });
  const run = one.run({ type: "full_started" });
  let ended = false;
  void run.finally(() => {
    ended = true;
  });
  const overdue: unknown[] = [];
  while (!ended) {
    overdue.push(...(await one.runs.findOverdue(100)));
    await sleep(200);
  }
  await run;
  expect(overdue).toEqual([]);
  // 150 tickets are two pages.
  expect(reads).toBe(2);
  expect(await one.status()).toBe("migration_completed");
});

test("an attempt that lost the partition stops its calls to the tool", async () => {
  let stopped: unknown;
  const connector = slowToRead(async (signal) => {
    if (stopped !== undefined) return;
    await database().query(
      "update partitions set generation = generation + 1, lease_token = gen_random_uuid() where task = 'verify' and stream = 'tickets'",
    );
    await sleep(30_000, undefined, { signal }).catch((error: unknown) => {
      stopped = error;
    });
  });
  const { one } = await given({ connector });
  await one.run({ type: "full_started" });
  expect(stopped).toBeInstanceOf(Error);
  await database().query("update partitions set due_at = now() where state = 'running'");
  await one.work(await one.runs.findOverdue(100));
  expect(await one.status()).toBe("migration_completed");
});

test("an attempt that lost the partition aborts its write, long before the write's deadline", async () => {
  const connector = plain();
  let isFirst = true;
  let reason: unknown;
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream =>
      stream.stream.name === "tickets"
        ? {
            ...stream,
            write: async (io, batch) => {
              if (!isFirst) return stream.write(io, batch);
              isFirst = false;
              await database().query(
                "update partitions set generation = generation + 1, lease_token = gen_random_uuid() where task = 'copy' and stream = 'tickets'",
              );
              await sleep(20_000, undefined, { signal: io.signal }).catch(() => {
                reason = io.signal.reason;
              });
              return batch.map(() => ({ kind: "unknown", why: "It was aborted." }));
            },
          }
        : stream,
  );
  const { one } = await given({
    connector: { ...connector, destination: { helpdesk: streams } },
    times: { leaseMs: 3_000, writeMs: 60_000 },
  });
  await one.run({ type: "full_started" });
  expect(reason).toEqual(new Error("Another attempt has the partition now."));
});
