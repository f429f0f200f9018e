import type { Reasons } from "../compare-records.ts";
import type { FieldChange } from "../destination.ts";
import type { FamilyRecord } from "../families/stream.ts";
import { oneLine, truncate } from "./truncate.ts";

/** How far a tool can hold a field of the family. A field without one is held as it is: any difference is a fault. */
export interface Hold {
  /** For people: one sentence. */
  readonly why: string;
  /** The same for all records: the tool has no such field, or a value of its own. */
  readonly always?: "cleared" | "converted";
  /** And why the connector sends another value for some records all the same. */
  readonly each?: string;
  /** What the tool makes of a value, if the kit can tell; else the connector does, in what it sends. */
  fit?(value: unknown): unknown;
}

/** By path: `subject`, `author.name`; `customFields` stands for all of them. */
export type Holds = Readonly<Record<string, Hold>>;

/** The tool has no such field. */
export const notHeld = (why: string): Hold => ({ why, always: "cleared" });

/** The tool has a value of its own in this field. */
export const ownValue = (why: string, each?: string): Hold => ({
  why,
  always: "converted",
  ...(each === undefined ? {} : { each }),
});

/** The connector sends another value for some records; only those are reported. */
export const mayDiffer = (why: string): Hold => ({ why });

/** One line of at most `max` characters. */
export const lineOf = (max: number, why: string, cut = truncate): Hold => ({
  why,
  fit: (value) => (typeof value === "string" ? cut(oneLine(value), max) : value),
});

/** A text of at most `max` characters. */
export const textOf = (max: number, why: string, cut = truncate): Hold => ({
  why,
  fit: (value) => (typeof value === "string" ? cut(value, max) : value),
});

/** The declared losses of all records. */
export const dropsOf = (holds: Holds): readonly FieldChange[] =>
  Object.entries(holds).flatMap(([field, { always, why }]) =>
    always === undefined ? [] : [{ field, change: always, why }],
  );

/** Why a single record's field may differ. */
export const reasonsOf = (holds: Holds): Reasons =>
  Object.fromEntries(
    Object.entries(holds).flatMap(([field, { always, why, each }]) => {
      const reason = always === undefined ? why : each;
      return reason === undefined ? [] : [[field, reason]];
    }),
  );

/** The record as far as the tool can hold it. */
export const fitTo = <T extends FamilyRecord>(holds: Holds, record: T): T => ({
  ...record,
  ...Object.fromEntries(
    Object.entries(holds).flatMap(([field, { fit }]) =>
      fit && Object.hasOwn(record, field) ? [[field, fit(record[field as keyof T])]] : [],
    ),
  ),
});
