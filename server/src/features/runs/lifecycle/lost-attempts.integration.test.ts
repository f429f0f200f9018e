import { expect, test } from "vitest";
import { total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { withPatchedPool } from "../../../../../test/support/patched-pool.ts";
import type { Database } from "../../../platform/db.ts";
import type { ChunkToSend } from "../run.ts";

const { given, database } = useKinds();
const { signal } = new AbortController();

/** A database that fails in the middle: attempts begin, and can record nothing. */
const failing =
  (isDown: () => boolean) =>
  (db: Database): Database => {
    const fail = () => Promise.reject(new Error("The connection was terminated."));
    const query = (...args: readonly [string | { name?: string }, ...unknown[]]) => {
      const [asked] = args;
      const name = typeof asked === "string" ? "" : (asked.name ?? "");
      return isDown() && /^(settle|hand-over|claim)/.test(name)
        ? fail()
        : db.pool.query(...(args as unknown as [string]));
    };
    const connect = () => (isDown() ? fail() : db.pool.connect());
    return withPatchedPool(db, { query, connect });
  };

const attemptsOf = async (importId: string) =>
  (
    await database().query<{ most: number }>(
      "select max(attempts) as most from partitions where import_id = $1 and state = 'running'",
      [importId],
    )
  ).rows[0]?.most;

test("attempts that broke off because PostgreSQL failed are not taken for the end of their process", async () => {
  let isDown = false;
  const { one, destination } = await given({ database: failing(() => isDown) });
  await one.move({ type: "full_started" });
  let chunks: readonly ChunkToSend[] = await one.dispatch();
  // The first chunk prepares the run.
  chunks = (await one.runs.workChunk(chunks[0] as ChunkToSend, { signal })).send;
  isDown = true;
  for (let n = 0; n < 10; n += 1) {
    const ends = await Promise.allSettled(chunks.map((chunk) => one.runs.workChunk(chunk, { signal })));
    expect(ends.every(({ status }) => status === "rejected")).toBe(true);
  }
  expect(await attemptsOf(one.importId)).toBeLessThanOrEqual(2);
  isDown = false;
  await one.work(chunks);
  expect(await one.status()).toBe("migration_completed");
  expect((await one.ledger()).filter(({ state }) => state === 4)).toEqual([]);
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

test("a partition that a person paused and resumed again and again is not suspect", async () => {
  const { one } = await given();
  await one.move({ type: "full_started" });
  let chunks = await one.dispatch();
  for (let n = 0; n < 8; n += 1) {
    await one.runs.pauseRun(one);
    for (const chunk of chunks) await one.runs.workChunk(chunk, { signal });
    chunks = await one.runs.unpauseRun(one);
  }
  expect(await attemptsOf(one.importId)).toBe(0);
  await one.work(chunks);
  expect(await one.status()).toBe("migration_completed");
});
