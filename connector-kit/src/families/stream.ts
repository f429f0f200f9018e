import type { Family } from "@portage/contract";
import type { z } from "zod";
import { ConnectorError } from "../errors.ts";
import type { CustomValue } from "./custom-field.ts";

export interface FamilyRecord {
  readonly id: string;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly tags: readonly string[];
  readonly customFields: Readonly<Record<string, CustomValue>>;
}

/** A field that points to other records: an id, a list of ids, or an object with `stream` and `id`. */
export interface Relation {
  /** The streams that it may point to; one, unless the field says which. */
  readonly to: readonly [string, ...string[]];
  /** When the other end was not copied: leave the field empty, or skip this record (a comment without its ticket). */
  readonly missing: "clear" | "skip";
}

export type RecordKind = "people" | "file" | "record";

/** One stream of a family: what a source turns its rows into, and what a destination writes. */
export interface FamilyStream<T extends FamilyRecord = FamilyRecord, I = unknown> {
  readonly family: Family;
  readonly name: string;
  /** For people: "Tickets". */
  readonly label: string;
  /** People are matched before anything is copied; files carry bytes. */
  readonly kind: RecordKind;
  readonly schema: z.ZodType<T>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** The relation to the record that this one belongs to and goes with. */
  readonly parent: string | null;
  /** A whole record from what is known of it; what doesn't fit is a ConnectorError `unexpected_record`. */
  make(known: I): T;
}

type Shape<X extends z.ZodType> = z.output<X> extends FamilyRecord ? z.output<X> : never;

interface Described<X extends z.ZodType> {
  readonly label: string;
  readonly kind?: RecordKind;
  readonly schema: X;
  readonly relations?: Readonly<Record<string, Relation>>;
  readonly parent?: string;
}

export const familyStream = <X extends z.ZodType>(
  family: Family,
  name: string,
  { label, kind = "record", schema, relations = {}, parent }: Described<X>,
): FamilyStream<Shape<X>, z.input<X>> => ({
  family,
  name,
  label,
  kind,
  schema: schema as unknown as z.ZodType<Shape<X>>,
  relations,
  parent: parent ?? null,
  make: (known) => {
    const made = schema.safeParse(known);
    if (made.success) return made.data as Shape<X>;
    // Only paths: the values are a customer's.
    const paths = made.error.issues.map(({ path, code }) => `${path.join(".")} (${code})`);
    throw new ConnectorError({
      recovery: "skip-record",
      code: "unexpected_record",
      message: `A record of ${label.toLowerCase()} does not have the expected form: ${paths.join(", ")}.`,
    });
  },
});

/** The record type of a stream: `RecordOf<typeof helpdesk.tickets>`. */
export type RecordOf<X> = X extends FamilyStream<infer T, never> ? T : never;
