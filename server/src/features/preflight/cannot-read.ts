import { type Finding, streamWords } from "./finding.ts";
import type { StreamLook } from "./look-at-streams.ts";

/** What is to be copied and can't be read. */
export const findUnreadable = (looks: readonly StreamLook[], label: string): readonly Finding[] =>
  looks.flatMap(({ stream, refused, count }) =>
    refused === null
      ? []
      : [
          {
            code: "cannot_read",
            level: "blocks",
            side: "source",
            stream: stream.name,
            message: `${label} does not let us read ${streamWords(stream.family, stream.name)}.`,
            fix: `Give the account that is connected the right to read them, or leave ${streamWords(stream.family, stream.name)} out.`,
            count: count ?? 1,
          },
        ],
  );
