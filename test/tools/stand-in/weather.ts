import { createRandom } from "@portage/connector-kit/conformance";
import { type FaultKind, type Faults, noFaults, type StandInOptions } from "./options.ts";

/** Refuses all requests for a while. */
export interface Storm {
  readonly ms: number;
  /** Default: 429. */
  readonly status?: number;
  /** The value of Retry-After; default: the rest of the storm. */
  readonly retryAfterMs?: number;
}

type WeatherOptions = Pick<StandInOptions, "seed" | "faults" | "latencyMs">;

/** The current faults. */
export const createWeather = ({ seed, faults: given, latencyMs: first }: WeatherOptions) => {
  const luck = createRandom(`${seed}/faults`);
  const happened: Partial<Record<FaultKind | "storm", number>> = {};
  let faults: Faults = { ...noFaults, ...given };
  let latencyMs = first;
  let storm = { until: 0, status: 429, retryAfterMs: null as number | null };
  const note = (kind: FaultKind | "storm") => {
    happened[kind] = (happened[kind] ?? 0) + 1;
  };
  return {
    latencyMs: () => latencyMs,
    setLatency: (ms: number) => void (latencyMs = ms),
    faults: () => faults,
    setFaults: (changed: Partial<Faults>) => void (faults = { ...noFaults, ...changed }),
    happens(kind: FaultKind) {
      const does = faults[kind] > 0 && luck.next() < faults[kind];
      if (does) note(kind);
      return does;
    },
    begin({ ms, status = 429, retryAfterMs }: Storm) {
      storm = { until: Date.now() + ms, status, retryAfterMs: retryAfterMs ?? null };
    },
    /** The refusal of the current storm; null if there is none. */
    storm(): { readonly status: number; readonly retryMs: number } | null {
      const leftMs = storm.until - Date.now();
      if (storm.until === 0 || leftMs <= 0) return null;
      note("storm");
      return { status: storm.status, retryMs: storm.retryAfterMs ?? leftMs };
    },
    happened: () => ({ ...happened }),
    count: () => Object.values(happened).reduce((sum, each) => sum + each, 0),
  };
};

export type Weather = ReturnType<typeof createWeather>;
