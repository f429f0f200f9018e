import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";

const here = import.meta.dirname;

export const overlays = ["one-node", "highly-available"] as const;
export type Overlay = (typeof overlays)[number];

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: unknown;
}

/** Of all files that the rendering depends on: without kubectl, this shows that it is up to date. */
export const inputsHash = (): string => {
  const files = globSync("{base,release,one-node,highly-available}/**/*.{yaml,env}", {
    cwd: here,
  }).toSorted();
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(here, file)))
      .update("\0");
  return hash.digest("hex").slice(0, 16);
};

export const renderedText = (overlay: Overlay): string =>
  readFileSync(join(here, "rendered", `${overlay}.yaml`), "utf8");

export const readManifests = (text: string): readonly Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest);
