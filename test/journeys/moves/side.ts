import type { SunkMail } from "../../tools/smtp-sink.ts";
import type { Dump } from "./dump.ts";

/** How many records of each stream a tool holds, from its own tables and not from the connector. */
export type Counts = Readonly<Record<string, number>>;

export interface Meanwhile {
  /** The subject of the ticket whose copy a person edits; it also changes at the source. */
  readonly disputed: string;
  /** Ids of tickets. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A real tool as customers see it, with access to its database. */
export interface JourneySide {
  readonly tool: string;
  /** In the format of OUTBOUND_ALLOW. */
  readonly host: string;
  /** As a customer enters them. */
  readonly settings: Readonly<Record<string, string>>;
  counts(): Promise<Counts>;
}

export interface SourceSide extends JourneySide {
  /** The subject of a ticket that `meanwhile` changes. */
  readonly disputed: string;
  /** Changes, adds and deletes records at the source between two runs, as people do. */
  meanwhile(): Promise<Meanwhile>;
}

export interface Edited {
  stays(): Promise<boolean>;
  putBack(): Promise<void>;
  /** Whether a mail to the editor is expected because of the edit; if absent, none is. */
  mayTell?(mail: SunkMail): boolean;
}

export interface DestinationSide extends JourneySide {
  dump(): Promise<Dump>;
  /** Edits the copy with this subject as a person does; returns how to check and how to revert the edit. */
  edit(subject: string): Promise<Edited>;
}
