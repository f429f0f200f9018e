/** Runs work of the same key one after another. Undefined: too much of it waits already. */
export const createOneAtATime = (maxWaiting: number) => {
  const queues = new Map<string, { readonly last: Promise<unknown>; readonly length: number }>();
  return <T>(key: string, work: () => Promise<T>): Promise<T> | undefined => {
    const { last, length } = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (length > maxWaiting) return undefined;
    const mine = last.then(work);
    // The next one begins whatever became of this one.
    const ended = mine
      .catch(() => {})
      .then(() => {
        const { last: newest, length: left } = queues.get(key) ?? { last: ended, length: 1 };
        if (left === 1) queues.delete(key);
        else queues.set(key, { last: newest, length: left - 1 });
      });
    queues.set(key, { last: ended, length: length + 1 });
    return mine;
  };
};
