/**
 * A body that releases its resources when it ends, fails or is abandoned, even before its first chunk: a generator that
 * never started would not run its `finally`.
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
