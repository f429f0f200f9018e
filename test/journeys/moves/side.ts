import type { SunkMail } from "../../tools/smtp-sink.ts";
import type { Dump } from "./dump.ts";

/** How many records of each stream a tool holds, by its own tables and not by the connector. */
export type Counts = Readonly<Record<string, number>>;

export interface Meanwhile {
  /** The words of the ticket whose copy a person edits: it is also changed at the source. */
  readonly disputed: string;
  /** Ids of tickets. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A real tool as customers see it, and as only its administrator can. */
export interface JourneySide {
  readonly tool: string;
  /** As OUTBOUND_ALLOW takes it. */
  readonly host: string;
  /** As a customer types them. */
  readonly settings: Readonly<Record<string, string>>;
  counts(): Promise<Counts>;
}

export interface SourceSide extends JourneySide {
  /** The words of a ticket that `meanwhile` will change. */
  readonly disputed: string;
  /** What people do at the source while an import rests: they change, add and delete. */
  meanwhile(): Promise<Meanwhile>;
}

export interface Edited {
  stays(): Promise<boolean>;
  putBack(): Promise<void>;
  /** A mail that the person gets for having edited it; left out: there is none. */
  mayTell?(mail: SunkMail): boolean;
}

export interface DestinationSide extends JourneySide {
  dump(): Promise<Dump>;
  /** A person edits the copy that has these words as its subject; answers how to see it and how to put it back. */
  edit(subject: string): Promise<Edited>;
}
