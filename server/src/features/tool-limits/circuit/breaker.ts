import type { Circuit, CircuitNews } from "./circuit.ts";

/** How long to stay away while another request probes the tool: by then its outcome is probably known. */
const probedMs = 2_000;

/** This process's view of a circuit, and the news it has yet to report. All times are in the database's clock. */
export const createBreaker = (process: string, urge: () => void) => {
  let circuit: Circuit | null = null;
  let news: CircuitNews | null = null;
  /** Whether the one probe request is in flight. */
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
    /** How long the caller must stay away; 0 if the caller may wait in line and become the probe. */
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
    /** Whether the request that starts is the probe. */
    started(): boolean {
      isProbing ||= circuit !== null;
      return isProbing;
    },
    /** The probe has ended. If it got neither an answer nor a failure, another request may probe. */
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
    /** A single failure ends the probe. */
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
      // Unreported news of this process is newer than the row that it read.
      if (news === null) circuit = next;
    },
  };
};
