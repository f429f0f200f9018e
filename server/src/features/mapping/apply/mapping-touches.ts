import { isDeepStrictEqual } from "node:util";
import type { FamilyStream } from "@portage/connector-kit";
import type { Mapping } from "../model/mapping.ts";
import { isStreamSelected } from "../model/selection.ts";
import { peopleStreamOf } from "../model/word-fields.ts";

/** Whether records of the stream name people, in a relation or in a matched field. */
const namesPeople = (stream: FamilyStream, people: string, ...mappings: readonly Mapping[]): boolean =>
  stream.name === people ||
  Object.values(stream.relations).some(({ to }) => to.includes(people)) ||
  mappings.some((mapping) =>
    Object.values(mapping.streams[stream.name]?.source ?? {}).some(({ type }) => type === "person"),
  );

/**
 * Whether two mappings may make different copies of a stream's records. Called once per stream for a pair of revisions,
 * not per record; when in doubt the answer is yes. The selection of records is not considered.
 */
export const mappingTouches = (a: Mapping, b: Mapping, stream: FamilyStream): boolean => {
  if (a === b) return false;
  if (!isDeepStrictEqual(a.streams[stream.name], b.streams[stream.name])) return true;
  const people = peopleStreamOf(stream.family).name;
  return (
    namesPeople(stream, people, a, b) &&
    (isStreamSelected(a, people) !== isStreamSelected(b, people) || !isDeepStrictEqual(a.people, b.people))
  );
};
