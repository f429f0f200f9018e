import type { Circuit, CircuitNews } from "./circuit.ts";

/** Come back when somebody else's try is likely to be over. */
const probedMs = 2_000;

/** What this process knows of a circuit, and what it has to tell about it. Moments are by the database's clock. */
export const createBreaker = (process: string, urge: () => void) => {
  let circuit: Circuit | null = null;
  let news: CircuitNews | null = null;
  /** Whether the one request that tries is out. */
  let isProbing = false;
  const tell = (what: CircuitNews) => {
    news = what;
    urge();
  };
  const isMine = (nowMs: number) =>
    circuit?.probe?.by === process && nowMs >= circuit.openUntil && nowMs < circuit.probe.until;
  return {
    isClosed: () => circuit === null,
    circuit: () => circuit,
    /** How long to stay away; 0 for whoever may wait, to be the one who tries. */
    awayMs(nowMs: number, isFirst: boolean): number {
      if (!circuit) return 0;
      if (nowMs < circuit.openUntil) return circuit.openUntil - nowMs;
      const isTried = circuit.probe !== null && circuit.probe.until > nowMs && !isMine(nowMs);
      return isTried || isProbing || !isFirst ? probedMs : 0;
    },
    mayStart(nowMs: number): boolean {
      if (!circuit) return true;
      if (isProbing || nowMs < circuit.openUntil) return false;
      if (isMine(nowMs)) return true;
      if (news === null) tell("would_probe");
      return false;
    },
    /** Whether the request that starts is the one that tries. */
    started(): boolean {
      isProbing ||= circuit !== null;
      return isProbing;
    },
    /** The one that tried is over; without an answer or a failure somebody else may try. */
    probeReleased() {
      if (!isProbing) return;
      isProbing = false;
      tell("probe_lost");
    },
    alive() {
      if (!circuit) return;
      circuit = null;
      isProbing = false;
      tell("mended");
    },
    /** A single failure ends a try. */
    failed(nowMs: number) {
      if (!isProbing || !circuit) return;
      isProbing = false;
      circuit = { ...circuit, openUntil: nowMs + probedMs, probe: null };
      tell("broken");
    },
    broken() {
      if (!circuit) tell("broken");
    },
    takeNews(): CircuitNews | null {
      const taken = news;
      news = null;
      return taken;
    },
    putBack(lost: CircuitNews | null) {
      news ??= lost;
    },
    set(next: Circuit | null) {
      // What has just been found out here is newer than what was read.
      if (news === null) circuit = next;
    },
  };
};
