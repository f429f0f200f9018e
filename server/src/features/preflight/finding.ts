import { findStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { PreflightCode, Side } from "../imports/index.ts";

/** Something that a person should know before everything is copied. */
export interface Finding {
  /** Stable. */
  readonly code: PreflightCode;
  /** `blocks`: the copy would fail. */
  readonly level: "blocks" | "warns";
  /** For people: one plain sentence, without anything from the customer's records. */
  readonly message: string;
  /** What to do about it; null: nothing can be done, or need be. */
  readonly fix: string | null;
  readonly side: Side | null;
  readonly stream: string | null;
  /** How many records, people, words or fields it is about; where it is about a tool, 1. */
  readonly count: number;
  /** Which of the things that a code can say; left out: the usual one. */
  readonly variant?: "up_to" | "uncounted" | "stand_in" | "and_others";
  /** Fields, or parts that were not checked. */
  readonly names?: readonly string[];
  /** For how many more there is room. */
  readonly room?: number;
  /** How the tool's connector puts it. */
  readonly toolSays?: string;
}

/** What a stream holds, in the middle of a sentence. */
export const streamWords = (family: Family, name: string): string =>
  (findStream(family, name)?.label ?? name).toLowerCase();

export const inWords = (count: number): string => count.toLocaleString("en-US");

/** "One person", "12 people". */
export const peopleInWords = (count: number): string =>
  count === 1 ? "One person" : `${inWords(count)} people`;
