import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../server/src/platform/db.ts";
import { type Proof } from "../support/proof.ts";
import { percentile } from "../support/statistics.ts";

const longestMs = 3_600_000;
/** Limits the concurrency of the preparation. */
const concurrency = 4;

export const rounded = (value: number) => Math.round(value * 100) / 100;

export interface Run {
  readonly importId: string;
  readonly state: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

const readRuns = async (db: Database): Promise<readonly Run[]> => {
  const { rows } = await db.pool.query<Run>(
    `select import_id as "importId", state, started_at as "startedAt", ended_at as "endedAt" from runs`,
  );
  return rows;
};

export const inTurns = async (count: number, each: () => Promise<void>) => {
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await each();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
};

/** Waits until this many runs have begun and ended. `keepUp` is called meanwhile. */
export const untilAllEnded = async (
  proof: Proof,
  db: Database,
  count: number,
  keepUp: () => Promise<unknown> = async () => {},
): Promise<readonly Run[]> => {
  const giveUpAt = performance.now() + longestMs;
  let printedAt = 0;
  for (;;) {
    const runs = await readRuns(db);
    const ended = runs.filter(({ endedAt }) => endedAt !== null).length;
    if (ended === count) return runs;
    if (performance.now() > giveUpAt)
      throw new Error(`${ended} of ${count} have ended, ${runs.length} begun.`);
    if (performance.now() - printedAt > 10_000) {
      proof.say(`${runs.length} have begun, ${ended} have ended`);
      printedAt = performance.now();
    }
    await keepUp();
    await sleep(500);
  }
};

/** The fastest, the median and the slowest, and the ratio of the last to the first. */
export const spreadOf = (seconds: readonly number[]) => {
  const sorted = seconds.toSorted((a, b) => a - b);
  const fastest = percentile(sorted, 0);
  const slowest = percentile(sorted, 1);
  return {
    fastest: rounded(fastest),
    median: rounded(percentile(sorted, 0.5)),
    slowest: rounded(slowest),
    spread: rounded(slowest / fastest),
  };
};
