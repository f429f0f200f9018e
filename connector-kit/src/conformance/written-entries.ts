import type { DestinationStream, FindQuery } from "../destination.ts";
import { referencesOf } from "../families/references.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Check } from "./check.ts";
import type { Entry, Session } from "./session.ts";

export type Written = Extract<Entry["outcome"], { kind: "written" }>;

const since = new Date(0);

export const wasWritten = (entry: Entry): entry is Entry & { outcome: Written } =>
  entry.outcome?.kind === "written";

const parentOf = (
  { stream }: DestinationStream,
  record: FamilyRecord,
): Pick<FindQuery, "parentId" | "parentStream"> => {
  const parent = referencesOf(stream, record).find(({ field }) => field === stream.parent);
  return parent ? { parentId: parent.id, parentStream: parent.stream } : {};
};

export const askedFor = (stream: DestinationStream, { write }: Pick<Entry, "write">) => ({
  key: write.key,
  since,
  ...parentOf(stream, write.record),
});

/** Runs a check for every stream with the entries written to it. */
export const eachWritten =
  (
    kind: "plain" | "hostile",
    run: (
      session: Session,
      stream: DestinationStream,
      entries: readonly Entry[],
      name: string,
    ) => Promise<void>,
  ): Check["run"] =>
  async (session) => {
    for (const [stream, entries] of await session.written(kind))
      await run(session, stream, entries, stream.stream.name);
    return undefined;
  };
