import type { SimulationsAtWork } from "../features/simulator/index.ts";
import type { Log } from "../platform/log.ts";
import { type Loop, startLoop } from "../platform/loop.ts";

interface Needs {
  readonly simulations: SimulationsAtWork;
  readonly log: Log;
  readonly everyMs?: number;
}

/** How often the loop looks for old simulations. */
const removeEveryMs = 600_000;

/** Advances simulations that are due and removes old ones, without Restate. */
export const startSimulationsLoop = ({ simulations, log, everyMs = 250 }: Needs): Loop => {
  let removeAt = 0;
  return startLoop({
    name: "simulations",
    log,
    turn: async () => {
      if (performance.now() >= removeAt) {
        const removed = await simulations.removeOld();
        removeAt = removed > 0 ? 0 : performance.now() + removeEveryMs;
      }
      // Jitter, so that workers do not poll at the same moment.
      return (await simulations.goOn()) > 0 ? 0 : everyMs * (0.75 + Math.random() / 2);
    },
  });
};
