// `npm run prove:failover`: asynchronous standbys are promoted again and again in the middle of an import, each without the
// last commits of its primary. Nothing is lost or duplicated. --scale 0.1, --faults 3: the number of promotions,
// --plant skip-look-first: the workers run with a known bug, and the proof must find duplicates.
import { startStandby } from "../support/standby.ts";
import { proveLosses } from "./lost-commits/prove-losses.ts";

await proveLosses({
  name: "failover",
  rounds: 20,
  settings: {},
  losesRun: false,
  prepare: async (primary) => {
    const standby = await startStandby(primary);
    return {
      begin: () => standby.disconnect(),
      end: async () => {
        await primary.kill();
        await standby.promote();
        return standby;
      },
    };
  },
});
