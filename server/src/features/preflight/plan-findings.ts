import type { Estimate } from "./estimate.ts";
import { type Finding, inWords, streamWords } from "./finding.ts";
import type { StreamLook } from "./look-at-streams.ts";

const hourMs = 3_600_000;
const longMs = 24 * hourMs;

/** A copy that takes more than a day. */
export const findLong = ({ durationMs }: Estimate): readonly Finding[] => {
  if (durationMs === null || durationMs <= longMs) return [];
  const hours = Math.round(durationMs / hourMs);
  const about = hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
  return [
    {
      code: "takes_long",
      level: "warns",
      side: null,
      stream: null,
      message: `The copy takes at least ${about}, because of how many requests a minute the tools allow.`,
      fix: "Both tools can be used meanwhile. To make it shorter, leave out what is not needed.",
      count: hours,
    },
  ];
};

/** Streams that the destination does not take. People are matched even if they can't be written. */
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
