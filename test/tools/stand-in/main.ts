// The stand-in as a separate process: `node main.ts '{"counts":{"tickets":100}}'`. Its options are those of
// options.ts. It prints one line of JSON, and exits when the parent process closes its standard input.
import { startControl } from "./control.ts";
import type { StandInOptions } from "./options.ts";
import { startStandIn } from "./stand-in.ts";

/** The line that it prints when it is ready. */
export interface StandInReady {
  readonly url: string;
  readonly controlUrl: string;
  readonly account: string;
  readonly token: string;
  readonly refreshToken: string;
}

const tool = await startStandIn(JSON.parse(process.argv[2] ?? "{}") as Partial<StandInOptions>);
const control = await startControl(tool);
const { url, account, token, refreshToken } = tool;
const ready: StandInReady = { url, controlUrl: control.url, account, token, refreshToken };
process.stdout.write(`${JSON.stringify(ready)}\n`);

process.stdin.on("close", () => process.exit());
process.stdin.on("error", () => process.exit());
process.stdin.resume();
