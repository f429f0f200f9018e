import { isDeepStrictEqual } from "node:util";
import { type FamilyRecord, type FamilyStream, referencesOf } from "@portage/connector-kit";
import { textReferencesOf } from "@portage/connector-kit/rich-text";
import { holdsPeople } from "../model/word-fields.ts";
import type { CompiledMapping } from "./compile-mapping.ts";

/** Stands for the copy of a person, which is the same by both mappings and no id of the destination. */
const copyOf = ({ stream, id }: { readonly stream: string; readonly id: string }) => `\0${stream}/${id}`;

/**
 * Whether two mappings make the same copy of a record, with the same losses: field by field, and for every person that it names or links to.
 * What `mappingTouches` asks of a whole stream.
 */
export const makesSame = (
  a: CompiledMapping,
  b: CompiledMapping,
  stream: FamilyStream,
  record: FamilyRecord,
): boolean => {
  const people = [
    ...(holdsPeople(stream.name) ? [{ stream: stream.name, id: record.id }] : []),
    ...[...referencesOf(stream, record), ...textReferencesOf(record)].filter((reference) =>
      holdsPeople(reference.stream),
    ),
  ];
  return (
    people.every(({ stream: name, id }) =>
      isDeepStrictEqual(a.personFor({ stream: name, id }), b.personFor({ stream: name, id })),
    ) && isDeepStrictEqual(a.apply(stream, record, copyOf), b.apply(stream, record, copyOf))
  );
};
