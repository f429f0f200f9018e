import { setTimeout as sleep } from "node:timers/promises";

/** Far beyond what a busy machine needs: it only ends a start that hangs. */
const patienceMs = 300_000;
/** From then on it says what it waits for. */
const silentMs = 15_000;

/** Polls the URL until it responds successfully. */
export const waitUntilReady = async (what: string, url: string): Promise<void> => {
  const startedAt = performance.now();
  let isSilent = true;
  for (let waited = 0; waited < patienceMs; waited = performance.now() - startedAt) {
    if (isSilent && waited > silentMs) {
      console.log(`${what} is still starting.`);
      isSilent = false;
    }
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`${what} did not answer at ${url} within ${patienceMs / 1_000} seconds.`);
};
