import { Readable } from "node:stream";
import { processNeeds } from "../../server/src/main/program.ts";
import { runProgram } from "../../server/src/main/run-program.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `portage` without a separate process: for tests of many command lines. */
export const createProgram = (env: () => Readonly<Record<string, string>>) => {
  const withStdin = async (input: string, ...words: readonly string[]): Promise<Ran> => {
    let stdout = "";
    let stderr = "";
    const code = await runProgram(words, {
      ...processNeeds,
      env,
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
      stdin: () => Readable.from([input]),
    });
    return { code, stdout, stderr };
  };
  const answered = ({ code, stdout, stderr }: Ran, words: readonly string[]): unknown => {
    if (code !== 0) throw new Error(`portage ${words.join(" ")} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  return {
    withStdin,
    run: (...words: readonly string[]) => withStdin("", ...words),
    json: async <T>(...words: readonly string[]) =>
      answered(await withStdin("", ...words, "--json"), words) as T,
    /** Passes one JSON value on stdin. */
    give: async <T>(input: unknown, ...words: readonly string[]) =>
      answered(await withStdin(JSON.stringify(input), ...words, "--json"), words) as T,
  };
};
