export type InTime<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "late" };

/** Waits for an answer until the signal aborts; it ignores a later answer or error. */
export const inTime = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<InTime<T>> => {
  if (signal.aborted) return { kind: "late" };
  const late = Promise.withResolvers<InTime<T>>();
  const stop = () => late.resolve({ kind: "late" });
  signal.addEventListener("abort", stop, { once: true });
  const done = work().then(
    (value): InTime<T> => ({ kind: "done", value }),
    (error: unknown): InTime<T> => {
      if (signal.aborted) return { kind: "late" };
      throw error;
    },
  );
  try {
    return await Promise.race([done, late.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
};
