import type { Estimate } from "./estimate.ts";
import type { Finding } from "./finding.ts";

const hourMs = 3_600_000;
const longMs = 24 * hourMs;

/** A copy of more than a day. */
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
