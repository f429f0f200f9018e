// Loaded into each worker of the chaos proof by --import: on SIGWINCH, which means nothing to it, it does what its file says. The clock is moved as the
// machine's own would be, under everything that asks for the time; the monotonic clock stays.
import { readFileSync } from "node:fs";

export interface WorkerFault {
  /** How far the clock is off from now on. */
  readonly clockMs?: number;
  /** The heap grows until V8 ends the process. */
  readonly heap?: boolean;
}

/** In the worker's environment: the file. */
export const faultFile = "PORTAGE_CHAOS_FAULT";

const file = process.env[faultFile];
if (file !== undefined) {
  const Real = Date;
  let offMs = 0;
  const now = () => Real.now() + offMs;
  globalThis.Date = new Proxy(Real, {
    construct: (_, given: unknown[]) => Reflect.construct(Real, given.length === 0 ? [now()] : given) as Date,
    get: (_, name) => (name === "now" ? now : (Reflect.get(Real, name) as unknown)),
  });
  const hold: number[][] = [];
  process.on("SIGWINCH", () => {
    const { clockMs, heap } = JSON.parse(readFileSync(file, "utf8")) as WorkerFault;
    if (clockMs !== undefined) offMs = clockMs;
    while (heap) hold.push(Array.from({ length: 1_000_000 }, () => 0.5));
  });
}
