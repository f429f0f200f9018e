/** How many things of a kind one worker does at a time. */
export interface Places {
  /** Waits for a place; call what it answers to give it back. */
  take(): Promise<() => void>;
  /** As many as are free now, at most so many; nobody waits. */
  tryTake(count: number): readonly (() => void)[];
  /** How many are left. */
  free(): number;
  /** From now on nobody waits: whoever comes only hands over. */
  open(): void;
}

export const createPlaces = (count: number): Places => {
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
