import { spawn } from "node:child_process";

export interface Part {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Takes minutes: its output appears as it arrives. */
  readonly isSlow?: boolean;
}

const run = (
  { command: [program, ...args], isSlow = false }: Part,
  folder: string,
  write: (text: string) => void,
) =>
  new Promise<{ passed: boolean; output: string }>((resolve) => {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        if (isSlow) write(chunk.toString());
        else chunks.push(chunk);
      });
    child.once("error", (error) => resolve({ passed: false, output: `${error.message}\n` }));
    child.once("close", (code) => resolve({ passed: code === 0, output: Buffer.concat(chunks).toString() }));
  });

/**
 * Runs the parts one after the other, with a line for each, and shows the output of failing and slow parts. Continues
 * after a failure, so that one run shows all failures. Returns the names of the failed parts.
 */
export const runParts = async (
  parts: readonly Part[],
  folder: string,
  write: (text: string) => void,
): Promise<readonly string[]> => {
  const failed: string[] = [];
  for (const part of parts) {
    const { name } = part;
    const started = performance.now();
    const { passed, output } = await run(part, folder, write);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (!passed) {
      failed.push(name);
      write(`${output.trimEnd()}\n`);
    }
    write(`${passed ? "passed" : "FAILED"}  ${name.padEnd(14)} ${seconds.padStart(6)} s\n`);
  }
  return failed;
};
