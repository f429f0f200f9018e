import type { SourceStream } from "../source.ts";
import type { Check } from "./check.ts";
import type { Session } from "./session.ts";

/** Runs a check for each source stream in turn. */
export const eachSource =
  (run: (session: Session, stream: SourceStream, name: string) => Promise<void>): Check["run"] =>
  async (session) => {
    for (const stream of session.sources) await run(session, stream, stream.stream.name);
    return undefined;
  };
