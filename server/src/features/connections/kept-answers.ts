import type { KeptAnswers } from "@portage/connector-kit";

interface Bounds {
  /** Of all runs of this process together, in characters. */
  readonly most: number;
  /** After so long without a step of its run, all that was kept for it is forgotten. */
  readonly idleMs: number;
}

const bounds: Bounds = { most: 32 * 1024 * 1024, idleMs: 1_800_000 };

/** What an entry takes beside its two texts, about. Most are lists without a row, so that this is most of the memory. */
export const entryCost = 64;

const costOf = (key: string, text: string) => key.length + text.length + entryCost;

/**
 * Keeps rows of streams that are read later, from the answers to earlier ones. What does not fit is not kept, rather than in the place of something else:
 * streams are read in the same order, so what was kept first is needed first.
 */
export const createKeptAnswers = ({ most, idleMs } = bounds): ((run: string) => KeptAnswers) => {
  let held = 0;
  const runs = new Map<string, { readonly answers: Map<string, string>; readonly timer: NodeJS.Timeout }>();
  const forget = (run: string) => {
    for (const [key, text] of runs.get(run)?.answers ?? []) held -= costOf(key, text);
    // A step of the run may still hold it.
    runs.get(run)?.answers.clear();
    runs.delete(run);
  };
  return (run) => {
    const known = runs.get(run);
    clearTimeout(known?.timer);
    const answers = known?.answers ?? new Map<string, string>();
    runs.set(run, { answers, timer: setTimeout(() => forget(run), idleMs).unref() });
    const take = (key: string) => {
      const text = answers.get(key);
      if (text !== undefined && answers.delete(key)) held -= costOf(key, text);
      return text;
    };
    return {
      take,
      keep(key, text) {
        take(key);
        if (held + costOf(key, text) > most || runs.get(run)?.answers !== answers) return;
        answers.set(key, text);
        held += costOf(key, text);
      },
    };
  };
};
