import type { Family } from "@portage/contract";
import type { Paging } from "./options.ts";

export interface StandInSettings {
  readonly instanceUrl: string;
  readonly token: string;
}

export interface StandInConnectorOptions {
  readonly family: Family;
  /** Further families; a running tool has the rows of one. */
  readonly otherFamilies?: readonly Family[];
  readonly paging: Paging;
  /** The name, so that several can coexist; default: `stand-in`. */
  readonly name?: string;
  readonly label?: string;
  readonly pageSize?: number;
  readonly batchSize?: number;
  readonly settles?: "upsert" | "lookup";
  readonly auth?: "secret" | "oauth2";
  readonly concurrency?: number;
  /** Streams that are read once per record of another one: `comments: "tickets"`. */
  readonly perParent?: Readonly<Record<string, string>>;
  /** Streams whose changes also show in the record that they are read by; the test that changes a row must touch both. */
  readonly changesWithParent?: readonly string[];
  /** Streams whose pages cost fewer calls than their single records. */
  readonly cheaperByPages?: readonly string[];
  /** False: the children of a record can't be requested, only searched. */
  readonly byParents?: boolean;
  /** Streams whose records a new record of another one brings: `tickets: ["comments", "attachments"]`. */
  readonly takes?: Readonly<Record<string, readonly string[]>>;
  /** False: a stream can't be read in slices. */
  readonly slices?: boolean;
  /** True: a caller can add custom fields. */
  readonly createsFields?: boolean;
  /** True: it also has the streams that families got later. */
  readonly addedStreams?: boolean;
  /** False: it is older than the fields that families got later. */
  readonly holdsAdded?: boolean;
  /** How its silence can be measured: by its own log, or by a mailbox alone; default: not at all. */
  readonly silence?: "log" | "mailbox";
  readonly lateWriteMs?: number;
  readonly findLagMs?: number;
}
