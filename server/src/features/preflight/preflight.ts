import type { Estimate } from "./estimate.ts";
import type { Finding } from "./finding.ts";

export interface Preflight {
  readonly findings: readonly Finding[];
  /** The kinds that an undo could not take away again; null: nobody could look. */
  readonly stays: readonly { readonly stream: string; readonly label: string }[] | null;
  /** Null: the tools could not be asked. */
  readonly estimate: Estimate | null;
}
