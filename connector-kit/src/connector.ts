import type { Family } from "@portage/contract";
import type { DestinationStream } from "./destination.ts";
import type { FamilyRecord } from "./families/stream.ts";
import type { Io } from "./io.ts";
import type { Manifest } from "./manifest.ts";
import type { SourceStream } from "./source.ts";

/** Whose credentials these are, in the tool's own words. */
export interface Account {
  readonly signInName: string;
  /** The name of the instance or company: "Acme Support". */
  readonly accountName: string;
  /** The same for all credentials that share the tool's quotas. */
  readonly accountId: string;
}

/** The streams that can be written, in the order in which they are to be copied. */
export type Destination<S = unknown> = {
  readonly [F in Family]?: readonly DestinationStream<FamilyRecord, S>[];
};

/**
 * A tool, as data first and functions last. It owns no loop, retry, token or database: the engine does, which can
 * so stop, settle and resume between any two calls.
 */
export interface Connector<S = unknown> {
  readonly manifest: Manifest<S>;
  /** Really calls the tool; what is wrong is a ConnectorError (`reauthorize`, with `setting` where it can tell). */
  check(io: Io<S>): Promise<Account>;
  /** In the order in which they are to be copied: what is pointed to comes first. */
  readonly source?: { readonly [F in Family]?: readonly SourceStream<FamilyRecord, S>[] };
  readonly destination?: Destination<S>;
  /**
   * Of tools that differ from one instance to the next: the streams that this one really has, with its own limits
   * and duties. The engine takes these in place of `destination`.
   */
  offers?(io: Io<S>): Promise<Destination<S>>;
  /**
   * Which record of the source an address from the browser shows; null: none, or not in this instance. A person types
   * it, so nothing of it may be taken on trust (`pathWithin`), and nothing is called.
   */
  recordAt?(
    settings: S,
    url: string,
    family: Family,
  ): { readonly stream: string; readonly id: string } | null;
}
