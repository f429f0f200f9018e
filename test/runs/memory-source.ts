import {
  type FamilyRecord,
  type FamilyStream,
  familyStreams,
  type Io,
  ownersOf,
  type SourceStream,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { createSourceReader } from "../../server/src/features/runs/sample/source-reader.ts";

export type Records = Readonly<Record<string, readonly FamilyRecord[]>>;

/** How the tool reads the children of a record. */
export type Way = "per-parent" | "by-parents" | "searched";

const io = {} as Io;

/** A source in memory with small pages. */
export const memorySource = (
  family: Family,
  records: Records,
  way: Way,
  given: (stream: string) => Partial<SourceStream> = () => ({}),
) => {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const sourceOf = (stream: FamilyStream): SourceStream => {
    const { name } = stream;
    const all = records[name] ?? [];
    const isPart = stream.parent !== null && stream.kind === "record";
    const parentStream = isPart ? stream.relations[stream.parent ?? ""]?.to[0] : undefined;
    return {
      stream,
      delta: false,
      ...(way === "per-parent" && parentStream ? { perParent: parentStream } : {}),
      ...(way !== "searched" && stream.parent !== null && !(way === "per-parent" && parentStream)
        ? {
            readByParents: async (_, parents) =>
              all.filter((record) =>
                ownersOf(stream, record).some((to) =>
                  parents.some((parent) => parent.stream === to.stream && parent.id === to.id),
                ),
              ),
          }
        : {}),
      readPage: async (_, { cursor, parentId, since }) => {
        asked.push(name);
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        const own = all
          .filter((record) => parentId === null || ownersOf(stream, record).some(({ id }) => id === parentId))
          .filter(({ updatedAt }) => since === null || (updatedAt ?? "") >= since.toISOString());
        const start = Number(cursor?.at ?? 0);
        const until = Number(cursor?.until ?? own.length);
        const end = Math.min(start + 7, until);
        return { records: own.slice(start, end), next: end < until ? { at: end, until } : null };
      },
      readByIds: async (_, ids) => all.filter(({ id }) => ids.includes(id)),
      ...given(name),
    };
  };
  return {
    reader: createSourceReader(familyStreams[family].map(sourceOf), io),
    asked,
    mostAtOnce: () => most,
  };
};
