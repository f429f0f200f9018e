import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../platform/db.ts";
import type { DeliverySettlement } from "./store-settle.ts";

interface Needs {
  readonly settle: (settlements: readonly DeliverySettlement[]) => Promise<ReadonlySet<string>>;
  /** How long to retry while the database is unavailable: an attempt that is not recorded is sent again. */
  readonly patienceMs: number;
}

const maxBatch = 500;
const pauseMs = 250;

interface Waiting {
  readonly settlement: DeliverySettlement;
  readonly done: (kept: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Records attempts in batches: all that ended during the previous write share one transaction. */
export const createSettler = ({ settle, patienceMs }: Needs) => {
  const waiting: Waiting[] = [];
  let writing = false;

  const untilWritten = async (settlements: readonly DeliverySettlement[]) => {
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
      const batch = waiting.splice(0, maxBatch);
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

  /** Resolves when it is recorded; false: another worker has taken the delivery over. */
  return (settlement: DeliverySettlement): Promise<boolean> =>
    new Promise((done, failed) => {
      waiting.push({ settlement, done, failed });
      if (!writing) void write();
    });
};
