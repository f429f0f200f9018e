import { type Finding, inWords, streamWords } from "./finding.ts";
import type { StreamLook } from "./look-at-streams.ts";

/** What the destination does not take. People are matched even where they can't be written. */
export const findLeftBehind = (looks: readonly StreamLook[], label: string): readonly Finding[] =>
  looks
    .filter(({ to, count, stream }) => to === null && count !== 0 && stream.kind !== "people")
    .map(({ stream, count }) => {
      const words = streamWords(stream.family, stream.name);
      return {
        code: "left_behind",
        level: "warns",
        side: "destination",
        stream: stream.name,
        ...(count === null && { variant: "uncounted" }),
        message:
          count === null
            ? `${label} has no place for ${words}: they stay in the old tool.`
            : `${label} has no place for ${words}: ${inWords(count)} of them ${count === 1 ? "stays" : "stay"} in the old tool.`,
        fix: null,
        count: count ?? 1,
      };
    });
