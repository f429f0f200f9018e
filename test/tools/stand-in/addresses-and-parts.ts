import {
  type At,
  type Cursor,
  type FamilyRecord,
  type FamilyStream,
  findStream,
  type Io,
  ownersOf,
  type Page,
  pathWithin,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { StandInSettings } from "./connector-options.ts";

type StandInIo = Io<StandInSettings>;
type ReadPage = (io: StandInIo, at: At) => Promise<Page<FamilyRecord>>;

export const urlOf =
  (stream: string) =>
  ({ instanceUrl }: StandInSettings, { id }: { readonly id: string }): string =>
    `${instanceUrl}/show/${stream}/${id}`;

export const recordAt = ({ instanceUrl }: StandInSettings, url: string, family: Family) => {
  const [, stream = "", id = ""] =
    /^show\/(\w+)\/(\d{1,12})$/.exec(pathWithin(instanceUrl, url)?.path ?? "") ?? [];
  return findStream(family, stream) ? { stream, id } : null;
};

export const byParentsOf =
  (stream: FamilyStream, readPage: ReadPage) =>
  async (io: StandInIo, parents: readonly { readonly stream: string; readonly id: string }[]) => {
    const found = new Map<string, FamilyRecord>();
    for (const { stream: owner, id } of parents) {
      let cursor: Cursor | null = null;
      do {
        const page: Page<FamilyRecord> = await readPage(io, { cursor, since: null, parentId: id });
        // The tool compares only ids, whatever their stream.
        for (const record of page.records)
          if (ownersOf(stream, record).some((to) => to.stream === owner && to.id === id))
            found.set(record.id, record);
        cursor = page.next;
      } while (cursor !== null);
    }
    return [...found.values()];
  };
