import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosFixture } from "./chaos-fixture.ts";

const runPatienceMs = 7_200_000;

/** Connects both sides; the full run begins. */
export const beginImport = async (chaos: ChaosFixture): Promise<void> => {
  await chaos.connect("source");
  await chaos.connect("destination");
  // The run starts by itself after pre-flight; otherwise the customer starts it.
  for (let waited = 0; waited < 10; waited += 1) {
    if ((await chaos.customer.show()).status.code === "migration_in_progress") return;
    await sleep(500);
  }
  await chaos.customer.startRun("full");
};

/** Waits for the end of a run; an unexpected status fails at once. */
export const untilCompleted = async ({ customer }: Pick<ChaosFixture, "customer">): Promise<void> => {
  const giveUpAt = performance.now() + runPatienceMs;
  await customer.untilStatus(["migration_completed"], ({ status, warnings }) => {
    if (status.code !== "migration_in_progress")
      throw new Error(`The import is at ${status.code}: ${JSON.stringify(warnings)}`);
    if (performance.now() > giveUpAt) throw new Error("The run does not end.");
  });
};
