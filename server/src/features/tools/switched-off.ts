import type { Database } from "../../platform/db.ts";
import { listToolSettings } from "./store.ts";

/** How long a process may not know that the operator switched a tool off or on. */
const lookAgainMs = 5_000;

export interface SwitchedOff {
  has(tool: string): boolean;
  stop(): void;
}

/** Which tools the operator switched off, kept current in the background: asked on every request, so never waited for. */
export const watchSwitchedOff = async (
  db: Database,
  onError: (error: unknown) => void,
  everyMs: number = lookAgainMs,
): Promise<SwitchedOff> => {
  const read = async () =>
    new Set((await listToolSettings(db)).filter(({ enabled }) => !enabled).map(({ tool }) => tool));
  let off = await read();
  const timer = setInterval(() => {
    read().then((now) => {
      off = now;
    }, onError);
  }, everyMs);
  timer.unref();
  return { has: (tool) => off.has(tool), stop: () => clearInterval(timer) };
};
