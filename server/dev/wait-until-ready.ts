import { setTimeout as sleep } from "node:timers/promises";

const patienceMs = 60_000;

/** Polls the URL until it responds successfully. */
export const waitUntilReady = async (what: string, url: string): Promise<void> => {
  const giveUpAt = performance.now() + patienceMs;
  while (performance.now() < giveUpAt) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${what} did not answer at ${url} within ${patienceMs / 1_000} seconds.`);
};
