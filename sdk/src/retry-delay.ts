import type { PortageError } from "./portage-error.ts";

/** The client does not wait longer than this: it throws the error, which contains the requested delay. */
export const longestDelayMs = 30_000;

/** `Retry-After` is a number of seconds, or a date. */
export const retryAfterMs = (header: string | null, now: number): number | null => {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  // Date.parse reads "-1" as a year.
  const date = header.endsWith(" GMT") ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
};

/**
 * The delay before the next attempt: exponential backoff with jitter, so that callers that failed together do not
 * retry together; never shorter than the API asked for.
 */
export const retryDelayMs = (
  { retryAfterMs: asked }: Pick<PortageError, "retryAfterMs">,
  { attempt, firstDelayMs, random }: { attempt: number; firstDelayMs: number; random: () => number },
): number => {
  const step = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs);
  return asked === null ? step * (0.5 + random() / 2) : asked + random() * Math.max(step, asked / 4);
};

/** Whether the failure is transient, so that a retry can succeed. */
export const isPassing = ({ code, status }: Pick<PortageError, "code" | "status">): boolean =>
  code === "connection_failed" ||
  code === "timed_out" ||
  status === 408 ||
  status === 409 ||
  status === 429 ||
  status >= 500;

/** Waits, unless the signal aborts. */
export const wait = (delayMs: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", stop, { once: true });
  });
