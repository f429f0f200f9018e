/** Bounds the bytes of large answers that one process receives at a time: a semaphore with weights. */
export interface ByteBudget {
  /** Waits for its turn; call the result when the bytes are no longer held. */
  take(bytes: number, signal: AbortSignal): Promise<() => void>;
  /** The bytes that are taken now. */
  held(): number;
}

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

export const createByteBudget = (total: number): ByteBudget => {
  const waiting: Waiting[] = [];
  let held = 0;
  const next = () => {
    // In the order of arrival: a large answer gets its turn, however many smaller ones come.
    for (let first = waiting[0]; first && held + first.bytes <= total; first = waiting[0]) {
      waiting.shift();
      held += first.bytes;
      first.start();
    }
  };
  return {
    held: () => held,
    take: async (wanted, signal) => {
      // One that is larger than all of it is received alone.
      const bytes = Math.min(wanted, total);
      await new Promise<void>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const leave = () => {
          waiting.splice(waiting.indexOf(one), 1);
          reject(signal.reason as Error);
          next();
        };
        const one: Waiting = {
          bytes,
          start: () => {
            signal.removeEventListener("abort", leave);
            resolve();
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        waiting.push(one);
        next();
      });
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        held -= bytes;
        next();
      };
    },
  };
};
