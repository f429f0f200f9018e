import { type Finding, streamWords } from "./finding.ts";
import type { StreamLook } from "./look-at-streams.ts";

/** Where the destination's connector does not promise silence. */
export const findNoisy = (looks: readonly StreamLook[], label: string): readonly Finding[] =>
  looks
    .filter(({ to, count }) => to !== null && count !== 0 && !to.duties.includes("silent"))
    .map(({ stream, count }) => ({
      code: "may_notify",
      level: "warns",
      side: "destination",
      stream: stream.name,
      message: `${label} may send messages to people while ${streamWords(stream.family, stream.name)} are copied.`,
      fix: `Switch off notifications in ${label} until the copy is done.`,
      count: count ?? 1,
    }));
