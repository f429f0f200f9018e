import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../platform/db.ts";
import type { Settlement } from "./store-settle.ts";

interface Needs {
  readonly settle: (settlements: readonly Settlement[]) => Promise<ReadonlySet<string>>;
  /** For so long a database that is away is tried again: what is not written down is sent once more. */
  readonly patienceMs: number;
}

const most = 500;
const pauseMs = 250;

interface Waiting {
  readonly settlement: Settlement;
  readonly done: (kept: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Writes down what ended while the ones before were written: one transaction for all of them. */
export const createSettler = ({ settle, patienceMs }: Needs) => {
  const waiting: Waiting[] = [];
  let writing = false;

  const untilWritten = async (settlements: readonly Settlement[]) => {
    const giveUpAt = performance.now() + patienceMs;
    for (;;)
      try {
        return await settle(settlements);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || performance.now() > giveUpAt) throw error;
        await sleep(pauseMs);
      }
  };

  const write = async () => {
    writing = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, most);
      await untilWritten(batch.map(({ settlement }) => settlement)).then(
        (kept) => {
          for (const { settlement, done } of batch) done(kept.has(settlement.ref.eventId));
        },
        (error: unknown) => {
          for (const { failed } of batch) failed(error);
        },
      );
    }
    writing = false;
  };

  /** Resolves when it is written; false: somebody else has taken the delivery over. */
  return (settlement: Settlement): Promise<boolean> =>
    new Promise((done, failed) => {
      waiting.push({ settlement, done, failed });
      if (!writing) void write();
    });
};
