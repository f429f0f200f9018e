import type { Family } from "@portage/contract";
import type { Connector } from "../connector.ts";
import type { AccessTokens } from "../http/authorize.ts";
import type { RetryPolicy } from "../http/http-client.ts";
import type { Transport } from "../http/transport.ts";

/** The subject of the suite: a connector, a tool that it can reach, and actions that only the tool's side can take. */
export interface Subject<S = unknown> {
  readonly connector: Connector<S>;
  readonly settings: S;
  readonly family: Family;
  readonly transport: Transport;
  readonly tokens?: AccessTokens;
  readonly retry?: Partial<RetryPolicy>;
  /** The timeout of an answer. */
  readonly answerMs?: number;
  /** Changes and removes rows of the source without the connector. The source should have two pages of a stream. */
  disturb?(
    stream: string,
    rows: { readonly update: readonly string[]; readonly remove: readonly string[] },
  ): Promise<void>;
  /**
   * Adds something to a copy of a stream without the connector, as people do: a reply, a note, a file. Returns whether it is still
   * there; null: people can add nothing to such a record that would go with it.
   */
  addTo?(stream: string, id: string): Promise<(() => Promise<boolean>) | null>;
  /** The number of mails that the destination has sent so far. */
  mails?(): Promise<number>;
  /**
   * For a connector with `silence`: makes the tool send messages about what the work writes, although the connector wants none,
   * and ends that afterwards. The work uses these settings.
   */
  loud?(work: (settings: S) => Promise<void>): Promise<void>;
  /** How many records with a key the destination has, from its own storage: without the connector, whose `find` may be wrong. */
  copies?(stream: string, key: string): Promise<number>;
  /** Characters of the largest text; 1 MB by default. */
  readonly largeText?: number;
  /** Which fault begins in `refusals`, and which trials a `share` takes; by default any, and the results name it. */
  readonly seed?: number;
  /**
   * For a slow tool: the part of the trials that `resume`, `hostile`, `doubt` and `refusals` make, chosen at random, at
   * least one of each kind and stream. 1 by default: all of them.
   */
  readonly share?: number;
  /** The names of the checks to run, besides those that must pass before them; all by default. For work on one of them. */
  readonly only?: readonly string[];
  /** The number of records to ask for per page, so that a tool with few of them has several; by default the connector's own. */
  readonly pageSize?: number;
  /** The number of plain records to write to each stream; 6 by default. */
  readonly records?: number;
}
