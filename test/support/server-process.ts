import { setTimeout as sleep } from "node:timers/promises";
import { type LeashedProcess, startLeashed } from "./leashed-process.ts";

export interface ServerProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Flags for node itself, such as --cpu-prof. */
  readonly nodeFlags?: readonly string[];
  /** Its log goes here and not through this process, which saves CPU time. */
  readonly logFile?: string;
  /** See `startLeashed`. */
  readonly gid?: number;
}

interface Program extends ServerProcessOptions {
  /** A readable name: "The API". */
  readonly name: string;
  readonly program: string;
}

/** Set for tests, which start hundreds: Node's compile cache halves the start time. Proofs measure without it. */
const compiled = process.env["NODE_COMPILE_CACHE"];

/** One of our programs as an operator starts it: on loopback, with an otherwise empty environment. */
export const spawnServer = ({ name, program, env, nodeFlags = [], logFile, gid }: Program): LeashedProcess =>
  startLeashed({
    name,
    command: process.execPath,
    args: [...nodeFlags, program],
    env: { PATH: process.env["PATH"], ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}), ...env },
    logFile,
    gid,
  });

const slowestStartMs = 180_000;

const says200 = async (url: string) => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => {}); // the process may die halfway through the answer
  return answer?.status === 200;
};

export const untilReady = async (name: string, child: LeashedProcess, url: string): Promise<void> => {
  const giveUpAt = performance.now() + slowestStartMs;
  while (!(await says200(url))) {
    if (!child.isRunning() || performance.now() > giveUpAt)
      throw new Error(`${name} did not get ready at ${url}:\n${child.lines.slice(-50).join("\n")}`);
    await sleep(20);
  }
};
