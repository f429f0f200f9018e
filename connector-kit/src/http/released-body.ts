/**
 * A body that lets go of what it holds when it ends, fails or is given up, also before its first piece: a generator that
 * was never started would not run its own `finally`.
 */
export const releasedBody = (
  source: AsyncIterable<Uint8Array>,
  release: () => void,
  explain: (error: unknown) => Error,
): AsyncIterableIterator<Uint8Array> => {
  const pieces = source[Symbol.asyncIterator]();
  let started = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      started = true;
      try {
        const piece = await pieces.next();
        if (piece.done) release();
        return piece;
      } catch (error) {
        release();
        throw explain(error);
      }
    },
    async return() {
      release();
      if (!started) await pieces.next().catch(() => {});
      await pieces.return?.();
      return { done: true, value: undefined };
    },
  };
};
