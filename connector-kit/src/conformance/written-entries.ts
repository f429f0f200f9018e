import type { DestinationStream } from "../destination.ts";
import type { Check } from "./check.ts";
import type { Entry, Session } from "./session.ts";

export type Written = Extract<Entry["outcome"], { kind: "written" }>;

export const wasWritten = (entry: Entry): entry is Entry & { outcome: Written } =>
  entry.outcome?.kind === "written";

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
