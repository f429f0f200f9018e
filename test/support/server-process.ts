import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { findLeaks, findLeaksInFile } from "./leaked-secrets.ts";
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

/** Set for tests and in CI, which start hundreds: Node's compile cache halves the start time. Proofs in full measure without it. */
const compiled = process.env["NODE_COMPILE_CACHE"];

/** What it publishes at this moment; "" if it has no metrics or does not answer any more. */
const readMetrics = async (port: string | undefined) => {
  if (port === undefined) return "";
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    signal: AbortSignal.timeout(2_000),
  }).catch(() => undefined);
  return (await answer?.text().catch(() => "")) ?? "";
};

/**
 * One of our programs as an operator starts it: on loopback, with an otherwise empty environment. Whichever suite it is of,
 * no secret may be in its log, nor in its metrics when it is stopped: the end of the process fails for it.
 */
export const spawnServer = ({
  name,
  program,
  env,
  nodeFlags = [],
  logFile,
  gid,
}: Program): LeashedProcess => {
  const child = startLeashed({
    name,
    command: process.execPath,
    args: [...nodeFlags, program],
    env: { PATH: process.env["PATH"], ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}), ...env },
    logFile,
    gid,
  });
  let metrics = "";
  const exited = child.exited.then((exit) => {
    const inLog =
      logFile === undefined
        ? findLeaks(child.lines.join("\n"), env)
        : existsSync(logFile)
          ? findLeaksInFile(logFile, env)
          : [];
    const leaks = [
      ...inLog.map((what) => `${what} in its log`),
      ...findLeaks(metrics, env).map((what) => `${what} in its metrics`),
    ];
    if (leaks.length > 0) throw new Error(`${name} shows secrets: ${leaks.join(", ")}`);
    return exit;
  });
  return {
    ...child,
    exited,
    async stop() {
      metrics = await readMetrics(env["METRICS_PORT"]);
      await child.stop();
      return exited;
    },
  };
};

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
