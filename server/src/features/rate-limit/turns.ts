import { requestsPerSecond } from "./store.ts";

export interface RateLimitDecision {
  readonly accepted: boolean;
  readonly remaining: number;
}

/** Takes a turn for each partner in one statement. Returns how many each has used; a refused partner is absent. */
export type TakeAll = (partnerIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

interface Waiting {
  readonly resolve: (turn: RateLimitDecision) => void;
  readonly reject: (error: unknown) => void;
}

const maxBatch = 200;

/**
 * Takes the turns of all requests that wait now in one statement, one statement at a time: the busier the process, the
 * less each turn costs. A partner takes one turn per statement, so its own requests queue behind each other and never
 * block another partner.
 */
export const createTurns = (takeAll: TakeAll): ((partnerId: string) => Promise<RateLimitDecision>) => {
  const queues = new Map<string, Waiting[]>();
  let isAsking = false;

  const takeBatch = () => {
    // Sorted: processes that lock the same rows in the same order never deadlock.
    const partnerIds = [...queues.keys()].slice(0, maxBatch).toSorted();
    return partnerIds.map((partnerId) => {
      const queue = queues.get(partnerId) as Waiting[];
      const first = queue.shift() as Waiting;
      // To the end of the queue: with more partners than fit in a statement, each still gets its turn.
      queues.delete(partnerId);
      if (queue.length > 0) queues.set(partnerId, queue);
      return { partnerId, waiting: first };
    });
  };

  const ask = async () => {
    while (queues.size > 0) {
      const batch = takeBatch();
      try {
        const used = await takeAll(batch.map(({ partnerId }) => partnerId));
        for (const { partnerId, waiting } of batch) {
          const count = used.get(partnerId);
          waiting.resolve({
            accepted: count !== undefined,
            remaining: Math.max(0, requestsPerSecond - (count ?? requestsPerSecond)),
          });
        }
      } catch (error) {
        // Queued requests wait for the same database: they fail now instead of waiting for a second failure.
        const all = [...batch.map(({ waiting }) => waiting), ...[...queues.values()].flat()];
        queues.clear();
        for (const { reject } of all) reject(error);
      }
    }
    isAsking = false;
  };

  return (partnerId) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(partnerId);
      if (queue) queue.push({ resolve, reject });
      else queues.set(partnerId, [{ resolve, reject }]);
      if (isAsking) return;
      isAsking = true;
      // Runs after the other requests of this tick have queued.
      setImmediate(() => void ask());
    });
};
