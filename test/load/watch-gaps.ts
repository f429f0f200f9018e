import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../support/statistics.ts";
import type { ReadyImport } from "../support/run-fixture.ts";

const everyMs = 100;
const stallMs = 300_000;

interface Gap {
  readonly ms: number;
  /** The number of written records when the gap began. */
  readonly step: string | null;
  readonly written: number;
}

/** Polls an import and records the times without progress, both in the tool and in the reported progress. */
export const watchGaps = ({ tool, customer }: ReadyImport) => {
  const gaps: Gap[] = [];
  let ended = false;
  let written = 0;
  let last = "";
  let step: string | null = null;
  let writtenThen = 0;
  let movedAt: number | null = null;
  const look = async () => {
    written = (await tool.control.stats()).written;
    const progress = await customer.progress();
    const now = JSON.stringify([written, progress?.step, progress?.done]);
    // Before the start and after the end there is no stall.
    if (!progress && movedAt === null) return;
    if (now === last) return;
    last = now;
    const at = performance.now();
    if (movedAt !== null) gaps.push({ ms: Math.round(at - movedAt), step, written: writtenThen });
    movedAt = at;
    step = progress?.step ?? null;
    writtenThen = written;
  };
  const loop = (async () => {
    while (!ended) {
      await look();
      await sleep(everyMs);
    }
  })();
  return {
    written: () => written,
    /** Waits until the tool has this many records. */
    async reach(goal: number) {
      while (written < goal) {
        if (movedAt !== null && performance.now() - movedAt > stallMs)
          throw new Error(`Nothing moved for ${stallMs / 1_000} s: ${written} of ${goal}.`);
        await sleep(everyMs);
      }
    },
    async end() {
      ended = true;
      await loop;
      const sorted = gaps.toSorted((a, b) => a.ms - b.ms);
      const usual = percentile(
        sorted.map(({ ms }) => ms),
        0.5,
      );
      return { longest: sorted.at(-1) ?? { ms: Number.NaN, step: null, written: 0 }, usualMs: usual };
    },
  };
};
