import type { Database } from "../../platform/db.ts";
import { listToolSettings } from "./store.ts";

/** How late a process may notice that the operator switched a tool off or on. */
const lookAgainMs = 5_000;

export interface SwitchedOff {
  has(tool: string): boolean;
  stop(): void;
}

/** Polls in the background which tools the operator switched off, so that requests read it without waiting. */
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
