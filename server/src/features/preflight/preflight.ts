import type { Estimate } from "./estimate.ts";
import type { Finding } from "./finding.ts";
import type { CaughtMessage } from "../runs/index.ts";

/** How it is known that copies send no messages. */
export type PreflightSilence =
  /** The next full run measures it before it copies anything. `last`: what the last measurement has shown. */
  | { readonly kind: "measured"; readonly last: LastMeasurement | null }
  /** The connector promises it, and this installation can't measure it with this tool. */
  | { readonly kind: "promised" };

export interface LastMeasurement {
  readonly records: number;
  readonly at: Date;
  /** The first message that was sent; null: none was. */
  readonly caught: (CaughtMessage & { readonly mend: string }) | null;
}

export interface Preflight {
  /** Null: not checked. */
  readonly silence: PreflightSilence | null;
  readonly findings: readonly Finding[];
  /** The streams that an undo could not remove again; null: not checked. */
  readonly stays: readonly { readonly stream: string; readonly label: string }[] | null;
  /** Null: the tools did not answer. */
  readonly estimate: Estimate | null;
}
