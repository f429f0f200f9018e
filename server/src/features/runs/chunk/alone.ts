/** Lets chunks run beside each other, and a suspect one alone: if the process ends then, that chunk is the cause. */
export interface Alone {
  /** Waits for its turn; call the result to end it. An aborted chunk's turn ends by itself. */
  enter(isAlone: boolean, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly isAlone: boolean;
  readonly start: () => void;
}

export const createAlone = (): Alone => {
  const waiting: Waiting[] = [];
  let running = 0;
  let isTaken = false;
  const next = () => {
    for (let first = waiting[0]; first; first = waiting[0]) {
      if (isTaken || (first.isAlone && running > 0)) return;
      waiting.shift();
      running += 1;
      isTaken = first.isAlone;
      first.start();
    }
  };
  return {
    enter: async (isAlone, signal) => {
      await new Promise<void>((start) => {
        // In the order of arrival: a suspect chunk gets its turn, however many others come.
        waiting.push({ isAlone, start });
        next();
      });
      let isInside = true;
      const leave = () => {
        if (!isInside) return;
        isInside = false;
        running -= 1;
        isTaken = false;
        next();
      };
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
      return leave;
    },
  };
};
