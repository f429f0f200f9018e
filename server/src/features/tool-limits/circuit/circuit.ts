/** An open circuit: no request starts before `openUntil`; then one probe checks whether the tool is back. */
export interface Circuit {
  openUntil: number;
  /** Doubles each time that the probe fails. */
  waitMs: number;
  probe: { by: string; until: number } | null;
}

/** What a process reports: too many failures, an answer, a request to probe, or a probe without an outcome. */
export type CircuitNews = "broken" | "mended" | "would_probe" | "probe_lost";

const firstWaitMs = 5_000;
const longestWaitMs = 120_000;
/** Slightly longer than an answer may take. */
const probeMs = 65_000;

/** The circuit after the news; `random` spreads the probes of many accounts. */
export const nextCircuit = (
  circuit: Circuit | null,
  news: CircuitNews | null,
  process: string,
  nowMs: number,
  random: () => number = Math.random,
): Circuit | null => {
  if (news === "mended") return null;
  if (news === "broken") {
    if (circuit && nowMs < circuit.openUntil) return circuit;
    const waitMs = circuit ? Math.min(longestWaitMs, circuit.waitMs * 2) : firstWaitMs;
    return { openUntil: nowMs + waitMs * (0.8 + 0.4 * random()), waitMs, probe: null };
  }
  if (!circuit) return null;
  if (news === "probe_lost") return circuit.probe?.by === process ? { ...circuit, probe: null } : circuit;
  const isFree = !circuit.probe || circuit.probe.until <= nowMs;
  if (news === "would_probe" && nowMs >= circuit.openUntil && isFree)
    return { ...circuit, probe: { by: process, until: nowMs + probeMs } };
  return circuit;
};

/** Gateway errors: the request did not reach the tool. Other failures may be caused by a single record. */
const outOfReach = new Set([502, 503, 504]);
const ourOwn = new Set(["aborted", "refused_url", "refused_address", "insecure", "too_large"]);

/** How strongly a failure speaks against the tool; 0 if the tool is not at fault. */
const severity = (status: number | null, failure: string | undefined): number => {
  if (status === null) return failure !== undefined && ourOwn.has(failure) ? 0 : 4;
  if (outOfReach.has(status)) return 4;
  return status >= 500 ? 1 : 0;
};

const tooMuch = 20;
const leastMs = 1_000;

/** Counts one process's consecutive failures: enough, and over some time, since a blip fails many requests at once. */
export const createFailureTally = () => {
  let score = 0;
  let sinceMs = 0;
  return {
    /** An answer that shows the tool alive resets the tally. */
    note(
      status: number | null,
      failure: string | undefined,
      nowMs: number,
    ): "alive" | "failed" | "broken" | null {
      const weight = severity(status, failure);
      if (weight === 0) {
        if (status === null) return null;
        score = 0;
        return "alive";
      }
      if (score === 0) sinceMs = nowMs;
      score += weight;
      return score >= tooMuch && nowMs - sinceMs >= leastMs ? "broken" : "failed";
    },
    clear() {
      score = 0;
    },
  };
};
