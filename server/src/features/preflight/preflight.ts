import type { Estimate } from "./estimate.ts";
import type { Finding } from "./finding.ts";

export interface Preflight {
  readonly findings: readonly Finding[];
  /** The streams that an undo could not remove again; null: not checked. */
  readonly stays: readonly { readonly stream: string; readonly label: string }[] | null;
  /** Null: the tools did not answer. */
  readonly estimate: Estimate | null;
}
