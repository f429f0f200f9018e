import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const program = join(import.meta.dirname, "../../server/src/main/api.ts");
const slowestStartMs = 20_000;

export interface ApiProcess {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Everything that it wrote, line by line, as it comes. */
  readonly lines: string[];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
  /** Asks it to stop and waits until it has. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface ApiProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Flags for node itself, such as --cpu-prof. */
  readonly nodeFlags?: readonly string[];
  /** Its log goes here and not through this process, which then costs nothing. Needs PORT in `env`. */
  readonly logFile?: string;
}

const isReady = async (url: string) => {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status === 200;
};

/** Starts the API as an operator would, on a free port of loopback, and waits until it is ready. */
export const startApiProcess = async ({
  env,
  nodeFlags = [],
  logFile,
}: ApiProcessOptions): Promise<ApiProcess> => {
  const child = spawn(process.execPath, [...nodeFlags, program], {
    env: { PATH: process.env["PATH"], HOST: "127.0.0.1", PORT: "0", ...env },
    stdio: ["ignore", logFile ? openSync(logFile, "a") : "pipe", "pipe"],
  });
  const lines: string[] = [];
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // "close", not "exit": by then its last line has been read.
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  // A proof that dies must not leave its servers behind.
  const killOnExit = () => void child.kill("SIGKILL");
  process.once("exit", killOnExit);
  void exited.then(() => process.removeListener("exit", killOnExit));
  const url = await new Promise<string>((resolve, reject) => {
    const failed = (why: string) => reject(new Error(`The API ${why}:\n${lines.join("\n")}`));
    void exited.then(({ code }) => failed(`ended with ${code}`));
    child.stderr?.on("data", (text: Buffer) => lines.push(text.toString()));
    if (logFile) return resolve(`http://127.0.0.1:${env["PORT"]}`);
    const timer = setTimeout(() => failed("did not start in time"), slowestStartMs);
    let address = "";
    const keep = (line: string) => {
      lines.push(line);
      if (address || !line.includes('"listening"')) return;
      address = (JSON.parse(line) as { address: string }).address;
      clearTimeout(timer);
      resolve(address);
    };
    if (child.stdout) createInterface({ input: child.stdout }).on("line", keep);
  });
  while (!(await isReady(url))) await sleep(20);
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid as number,
    lines,
    exited,
    kill: (signal) => void child.kill(signal),
    stop: () => {
      child.kill("SIGTERM");
      return exited;
    },
  };
};
