import type { KeptAnswers } from "./io.ts";

/** For tests: keeps everything. */
export const keepInMemory = (): KeptAnswers => {
  const kept = new Map<string, string>();
  return {
    take(key) {
      const found = kept.get(key);
      kept.delete(key);
      return found;
    },
    keep: (key, text) => void kept.set(key, text),
  };
};
