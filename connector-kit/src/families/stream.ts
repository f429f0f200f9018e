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
  /** The streams that it can point to; only one, unless the field names the stream. */
  readonly to: readonly [string, ...string[]];
  /** If the referenced record was not copied: clear the field, or skip this record (a comment without its ticket). */
  readonly missing: "clear" | "skip";
}

export type RecordKind = "people" | "file" | "record";

/** One stream of a family: the form into which a source converts its rows and which a destination writes. */
export interface FamilyStream<T extends FamilyRecord = FamilyRecord, I = unknown> {
  readonly family: Family;
  readonly name: string;
  /** For people: "Tickets". */
  readonly label: string;
  /** The engine matches people before it copies anything; files carry bytes. */
  readonly kind: RecordKind;
  readonly schema: z.ZodType<T>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** The relation to the parent, with which the record is copied and removed. */
  readonly parent: string | null;
  /**
   * Fields that the family got after its first version. Each is empty by default (null or a list without entries), and only a
   * destination that names it gets it.
   */
  readonly addedFields: readonly string[];
  /** Builds a complete record from the known fields; throws a ConnectorError `unexpected_record` for invalid ones. */
  make(known: I): T;
}

type Shape<X extends z.ZodType> = z.output<X> extends FamilyRecord ? z.output<X> : never;

interface Described<X extends z.ZodType> {
  readonly label: string;
  readonly kind?: RecordKind;
  readonly schema: X;
  readonly relations?: Readonly<Record<string, Relation>>;
  readonly parent?: string;
  /** The added fields, which are in the schema as well. */
  readonly added?: Readonly<Record<string, z.ZodType>>;
}

export const familyStream = <X extends z.ZodType>(
  family: Family,
  name: string,
  { label, kind = "record", schema, relations = {}, parent, added = {} }: Described<X>,
): FamilyStream<Shape<X>, z.input<X>> => ({
  family,
  name,
  label,
  kind,
  schema: schema as unknown as z.ZodType<Shape<X>>,
  relations,
  parent: parent ?? null,
  addedFields: Object.keys(added),
  make: (known) => {
    const made = schema.safeParse(known);
    if (made.success) return made.data as Shape<X>;
    // Only paths: the values are customer data.
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
