import type { SimulationsAtWork } from "../features/simulator/index.ts";
import type { Log } from "../platform/log.ts";
import { type Loop, startPolling } from "../platform/loop.ts";

interface Needs {
  readonly simulations: SimulationsAtWork;
  readonly log: Log;
}

/** How often the loop looks for old simulations. */
const removeEveryMs = 600_000;

/** Advances simulations that are due and removes old ones. */
export const startSimulationsLoop = ({ simulations, log }: Needs): Loop => {
  let removeAt = 0;
  return startPolling({
    name: "simulations",
    log,
    everyMs: 250,
    poll: async () => {
      if (performance.now() >= removeAt) {
        const removed = await simulations.removeOld();
        removeAt = removed > 0 ? 0 : performance.now() + removeEveryMs;
      }
      return simulations.goOn();
    },
  });
};
