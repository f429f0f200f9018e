import type { Family } from "@portage/contract";
import type { Paging } from "./options.ts";

export interface StandInSettings {
  readonly instanceUrl: string;
  readonly token: string;
}

export interface StandInConnectorOptions {
  readonly family: Family;
  /** Further ones; a running tool has the rows of one. */
  readonly otherFamilies?: readonly Family[];
  readonly paging: Paging;
  /** Several can stand side by side: `stand-in` unless told. */
  readonly name?: string;
  readonly label?: string;
  readonly pageSize?: number;
  readonly batchSize?: number;
  readonly settles?: "upsert" | "find";
  readonly auth?: "secret" | "oauth2";
  readonly concurrency?: number;
  /** Streams that are read once per record of another one: `comments: "tickets"`. */
  readonly perParent?: Readonly<Record<string, string>>;
  /** False: what belongs to a record can't be asked for, only be searched. */
  readonly byParents?: boolean;
  /** False: it can't be read in parts. */
  readonly slices?: boolean;
  readonly lateWriteMs?: number;
  readonly findLagMs?: number;
}
