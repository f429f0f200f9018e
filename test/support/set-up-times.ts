import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** Records how long a part of a set-up took, if the caller wants figures (TEST_REPORTS is a folder). */
export const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const folder = process.env["TEST_REPORTS"];
  if (folder === undefined) return work();
  const started = performance.now();
  try {
    return await work();
  } finally {
    const ms = Math.round(performance.now() - started);
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `set-up-${process.pid}.jsonl`), `${JSON.stringify({ what, ms })}\n`);
  }
};
