import { requestsPerSecond } from "./store.ts";

export interface Turn {
  readonly accepted: boolean;
  readonly remaining: number;
}

/** Takes a turn for each partner, all in one statement; how many each has used, or nothing for one refused. */
export type TakeAll = (partnerIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

interface Waiting {
  readonly resolve: (turn: Turn) => void;
  readonly reject: (error: unknown) => void;
}

const mostAtOnce = 200;

/**
 * Asks for the turns of all requests that are there at the moment in one statement, one statement at a time: the
 * busier the process, the less each turn costs. A partner takes one turn per statement, so its own requests queue
 * behind each other and hold up nobody else.
 */
export const createTurns = (takeAll: TakeAll): ((partnerId: string) => Promise<Turn>) => {
  const queues = new Map<string, Waiting[]>();
  let isAsking = false;

  const takeBatch = () => {
    // Sorted: two processes that lock the same rows in the same order never wait for each other in a circle.
    const partnerIds = [...queues.keys()].slice(0, mostAtOnce).toSorted();
    return partnerIds.map((partnerId) => {
      const queue = queues.get(partnerId) as Waiting[];
      const first = queue.shift() as Waiting;
      // To the end of the line: with more partners than fit in a statement each has its time.
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
        // Whoever waited behind it has waited for the same database: nobody waits twice.
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
      // After what else has arrived in this moment.
      setImmediate(() => void ask());
    });
};
