import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The state of `npm run dev` between runs, in a folder that git ignores. */
export interface Kept {
  readonly keys?: string;
  readonly partnerId?: string;
  readonly token?: string;
}

export const devFolder = join(import.meta.dirname, "../../.dev");

const writePrivate = (file: string, text: string) => {
  mkdirSync(devFolder, { recursive: true, mode: 0o700 });
  writeFileSync(join(devFolder, file), text, { mode: 0o600 });
  // The mode above applies to a new file only.
  chmodSync(join(devFolder, file), 0o600);
};

export const readKept = (): Kept => {
  try {
    return JSON.parse(readFileSync(join(devFolder, "kept.json"), "utf8")) as Kept;
  } catch {
    return {}; // the first run, or a file that a crash truncated: everything in it can be recreated
  }
};

export const keep = (kept: Kept): void => writePrivate("kept.json", `${JSON.stringify(kept, null, 2)}\n`);

const quoted = (value: string) => `'${value.replaceAll("'", "'\\''")}'`;

/** For other terminals: `. .dev/env` sets the variables that the README's commands use. */
export const writeShellFile = (variables: Readonly<Record<string, string>>): void =>
  writePrivate(
    "env",
    Object.entries(variables)
      .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
      .join(""),
  );
