import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  /** Resolves to the number of erased uploads that it looked at. */
  readonly deleteErased: () => Promise<number>;
  readonly log: Log;
  readonly everyMs?: number;
}

/** Deletes the bytes of uploads that were erased. */
export const startUploadsLoop = ({ deleteErased, log, everyMs = 60_000 }: Needs): Loop =>
  startLoop({
    name: "uploads",
    log,
    turn: async () => {
      await deleteErased();
      return everyMs;
    },
  });
