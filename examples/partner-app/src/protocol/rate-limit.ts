/** Limits the calls in any second. Returns false if this call exceeds the limit. */
export const createRateLimit = (perSecond: number, now: () => number) => {
  const taken: number[] = [];
  return (): boolean => {
    const at = now();
    while (taken.length > 0 && at - (taken[0] as number) >= 1000) taken.shift();
    if (taken.length >= perSecond) return false;
    taken.push(at);
    return true;
  };
};
