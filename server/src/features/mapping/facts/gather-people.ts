import type { Cursor, FamilyRecord, Io, Person, SourceStream } from "@portage/connector-kit";
import { type Look, createLook, type LookBounds } from "./look-at-records.ts";
import { isKey } from "../model/mapping.ts";

export interface GatheredPeople {
  readonly people: readonly Person[];
  /** False: there are more than were read. */
  readonly complete: boolean;
  readonly look: Look;
}

interface PersonRecord extends FamilyRecord {
  readonly name: string;
  readonly email: string | null;
  readonly active: boolean;
}

const toPerson = ({ id, name, email, active }: PersonRecord): Person => ({ id, name, email, active });

/** All people in the source's stream of people, up to `most`; keeps of each only what a match needs. */
export const gatherPeople = async (
  source: SourceStream,
  io: Io,
  most: number,
  bounds: LookBounds,
): Promise<GatheredPeople> => {
  const look = createLook(source.stream, { ...bounds, records: most });
  const people = new Map<string, Person>();
  let cursor: Cursor | null = null;
  // A page may point back: more pages than the maximum number of people means a cycle.
  for (let page = 0; page <= most; page += 1) {
    const { records, next } = await source.readPage(io, { cursor, since: null, parentId: null });
    for (const record of records) {
      if (people.has(record.id) || !isKey(record.id)) continue;
      if (people.size === most)
        return { people: [...people.values()], complete: false, look: look.done(false) };
      people.set(record.id, toPerson(record as PersonRecord));
      look.add(record);
    }
    cursor = next;
    if (cursor === null) return { people: [...people.values()], complete: true, look: look.done(true) };
  }
  return { people: [...people.values()], complete: false, look: look.done(false) };
};
