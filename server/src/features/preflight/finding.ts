import { findStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { PreflightCode, Side } from "../imports/index.ts";

/** Something that the customer should know before the full copy. */
export interface Finding {
  /** Stable. */
  readonly code: PreflightCode;
  /** `blocks`: the copy would fail. */
  readonly level: "blocks" | "warns";
  /** For the customer: one plain sentence, without anything from their records. */
  readonly message: string;
  /** What to do about it; null: nothing can or need be done. */
  readonly fix: string | null;
  readonly side: Side | null;
  readonly stream: string | null;
  /** The number of records, people, words or fields that it is about; 1 for a tool. */
  readonly count: number;
  /** The variant of the code's message; absent: the usual one. */
  readonly variant?: "up_to" | "uncounted" | "stand_in" | "and_others";
  /** Fields, or parts that were not checked. */
  readonly names?: readonly string[];
  /** The remaining capacity. */
  readonly room?: number;
  /** The connector's own message. */
  readonly toolSays?: string;
}

/** A stream's label, for the middle of a sentence. */
export const streamWords = (family: Family, name: string): string =>
  (findStream(family, name)?.label ?? name).toLowerCase();

export const inWords = (count: number): string => count.toLocaleString("en-US");

/** "One person", "12 people". */
export const peopleInWords = (count: number): string =>
  count === 1 ? "One person" : `${inWords(count)} people`;
