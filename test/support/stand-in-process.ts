import { join } from "node:path";
import { createStandInControl, type StandInControl } from "../tools/stand-in/control-client.ts";
import type { StandInReady } from "../tools/stand-in/main.ts";
import type { StandInOptions } from "../tools/stand-in/options.ts";
import { startLeashed } from "./leashed-process.ts";
import { timed } from "./set-up-times.ts";

const program = join(import.meta.dirname, "../tools/stand-in/main.ts");

export interface StandInProcess extends StandInReady {
  /** 127.0.0.1:PORT, in the format of OUTBOUND_ALLOW. */
  readonly host: string;
  readonly pid: number;
  readonly control: StandInControl;
  stop(): Promise<unknown>;
}

/** The stand-in in a separate process: faults of the others do not affect it. */
export const startStandInProcess = async (
  options: Partial<StandInOptions>,
  { nodeFlags = [] }: { readonly nodeFlags?: readonly string[] } = {},
): Promise<StandInProcess> => {
  const child = startLeashed({
    name: "The stand-in",
    command: process.execPath,
    args: [...nodeFlags, program, JSON.stringify(options)],
  });
  const ready = await timed("stand-in tool", () =>
    child.firstLine((line) => (line.startsWith('{"url"') ? (JSON.parse(line) as StandInReady) : undefined)),
  );
  return {
    ...ready,
    host: new URL(ready.url).host,
    pid: child.pid,
    control: createStandInControl(ready.controlUrl),
    stop: child.stop,
  };
};
