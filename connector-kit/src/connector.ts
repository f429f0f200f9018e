import type { Family } from "@portage/contract";
import type { DestinationStream } from "./destination.ts";
import type { FamilyRecord } from "./families/stream.ts";
import type { Io } from "./io.ts";
import type { Manifest } from "./manifest.ts";
import type { Silence } from "./silence.ts";
import type { SourceStream } from "./source.ts";

/** The account that the credentials belong to, with the tool's own names. */
export interface Account {
  readonly signInName: string;
  /** The name of the instance or company: "Acme Support". */
  readonly accountName: string;
  /** Equal for all credentials that share the tool's quotas. */
  readonly accountId: string;
  /**
   * Where the settings say what the ids of records are made of, by stream: the names of these parts; an empty list: the position.
   * Portage refuses other ones once records are copied, because the same records would have other ids.
   */
  readonly keyColumns?: Readonly<Record<string, readonly string[]>>;
}

/** The writable streams, in the order of copying. */
export type Destination<S = unknown> = {
  readonly [F in Family]?: readonly DestinationStream<FamilyRecord, S>[];
};

/**
 * A tool, as data first and functions last. It owns no loop, retry, token or database: the engine does, so that it
 * can stop, settle and resume between any two calls.
 */
export interface Connector<S = unknown> {
  readonly manifest: Manifest<S>;
  /** Really calls the tool; throws a ConnectorError (`reauthorize`, with the wrong `setting` if known). */
  check(io: Io<S>): Promise<Account>;
  /** In the order of copying: referenced streams come first. */
  readonly source?: { readonly [F in Family]?: readonly SourceStream<FamilyRecord, S>[] };
  readonly destination?: Destination<S>;
  /**
   * For tools that differ between instances: the streams that this instance has, with its own limits and guarantees. The
   * engine uses these in place of `destination`.
   */
  offers?(io: Io<S>): Promise<Destination<S>>;
  /** How silence can be measured before a full run; absent: it is only promised, and the wizard says so. */
  readonly silence?: Silence<S>;
  /**
   * The record of the source that a URL from the browser shows; null: none, or not in this instance. The customer types
   * the URL, so don't trust it (`pathWithin`) and don't call it. `parent`: what the record is shown in, if the URL names it: an old
   * link leads there if the record has no page of its own in the destination.
   */
  recordAt?(
    settings: S,
    url: string,
    family: Family,
  ): {
    readonly stream: string;
    readonly id: string;
    readonly parent?: { readonly stream: string; readonly id: string };
  } | null;
}
