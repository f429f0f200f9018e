import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

export interface Proof {
  /** From the root of the repository. */
  readonly file: string;
  readonly commit: string;
  readonly command: string;
  /** A figure of the proof's last line, by its path: "by_step.copy.seconds". Throws if it is not there. */
  figure(path: string): number;
}

/** A kept proof: the commit, the command, what it printed, and a last line of JSON with its figures. */
export const readProof = (name: string): Proof => {
  const file = `docs/proofs/${name}.txt`;
  const lines = readFileSync(join(root, file), "utf8").trim().split("\n");
  const figures: unknown = JSON.parse(lines.at(-1) ?? "");
  return {
    file,
    commit: (lines[0] ?? "").replace("commit ", "").slice(0, 7),
    command: (lines[1] ?? "").replace("$ ", ""),
    figure: (path) => {
      let value = figures;
      for (const key of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[key];
      if (typeof value !== "number")
        throw new Error(`${file} has no figure ${path}: change the page that shows it.`);
      return value;
    },
  };
};

/** The same; null: its output is not kept. */
export const findProof = (name: string): Proof | null =>
  existsSync(join(root, `docs/proofs/${name}.txt`)) ? readProof(name) : null;
