/** Limits how many operations of a kind one worker runs concurrently. */
export interface Semaphore {
  /** Waits for a permit; call the result to release it. */
  take(): Promise<() => void>;
  /** Takes up to `count` free permits without waiting. */
  tryTake(count: number): readonly (() => void)[];
  /** The number of free permits. */
  free(): number;
  /** Stops limiting: during a drain every chunk only hands over, so none should wait. */
  open(): void;
}

export const createSemaphore = (count: number): Semaphore => {
  const waiting: (() => void)[] = [];
  let free = count;
  let isOpen = false;
  const give = () => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  const givingBack = () => {
    let held = true;
    return () => {
      if (held) give();
      held = false;
    };
  };
  return {
    take: async () => {
      if (isOpen || free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return givingBack();
    },
    free: () => Math.max(0, free),
    tryTake: (wanted) => {
      const taken = Math.max(0, Math.min(free, wanted));
      free -= taken;
      return Array.from({ length: taken }, givingBack);
    },
    open: () => {
      isOpen = true;
      for (const next of waiting.splice(0)) {
        free--;
        next();
      }
    },
  };
};
