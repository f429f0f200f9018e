import { setTimeout as sleep } from "node:timers/promises";
import type { Paced } from "./destination.ts";

const fastMs = 5;
const everyMs = 200;

/** The latency of the tool, by how far the copy is ahead of the faults. */
const latencyFor = (ahead: number, holdMs: number) => {
  if (ahead > 0.01) return holdMs;
  if (ahead > 0) return 500;
  return ahead > -0.05 ? 80 : fastMs;
};

/**
 * Spreads the faults over the whole copy: when the copy is ahead, the tool slows down; when it is behind, the next
 * fault waits.
 */
export const createPace = (tool: Paced, records: number, stallMs = 300_000, holdMs = 1_200) => {
  let goal = 0;
  let latencyMs = 0;
  let stopped = false;
  let seen = { written: 0, at: performance.now() };
  const share = () => seen.written / records;
  const look = async () => {
    const written = await tool.written();
    if (written !== seen.written) seen = { written, at: performance.now() };
    const wanted = latencyFor(share() - goal, holdMs);
    if (wanted === latencyMs) return;
    latencyMs = wanted;
    await tool.setLatency(latencyMs);
  };
  const loop = (async () => {
    while (!stopped) {
      await look();
      await sleep(everyMs);
    }
    await tool.setLatency(fastMs);
  })();
  return {
    /** Throws when the tool has not received a write for too long. */
    check() {
      if (performance.now() - seen.at > stallMs)
        throw new Error(`Nothing was written for ${stallMs / 1000} s: ${seen.written} of ${records}.`);
    },
    share,
    /** Lets the copy continue to this share, and waits until it is almost there. */
    async reach(next: number) {
      goal = next;
      seen = { ...seen, at: performance.now() };
      while (share() < next - 0.01) {
        this.check();
        await sleep(everyMs);
      }
    },
    async release() {
      stopped = true;
      await loop;
    },
  };
};
