import type { StuckCauseCode, WaitedFor } from "@portage/contract/operator";

/**
 * What "stuck" means, once for all: something should happen to the import, and nothing has for longer than it ever
 * takes by itself. An import that a person paused is not stuck, nor one whose customer has not begun.
 */
export const stuckCauses = {
  not_dispatched: {
    after: "5 minutes",
    waitsFor: "workers",
    text: "Work was requested, but no worker has passed it to Restate.",
  },
  no_run: {
    after: "5 minutes",
    waitsFor: "workers",
    text: "The import should have a run, but there is none: it was never begun.",
  },
  silent: {
    after: "5 minutes",
    waitsFor: "workers",
    text: "The lease of a partition is over, and no worker has taken it.",
  },
  failing: {
    after: "15 minutes",
    waitsFor: "tool",
    text: "A partition has failed again and again without getting any further.",
  },
  no_progress: {
    after: "30 minutes",
    waitsFor: "workers",
    text: "A partition is being worked on, but none of its records has been settled.",
  },
  sign_in_needed: {
    after: "1 hour",
    waitsFor: "customer",
    text: "The tool refuses the sign-in: the customer must sign in again.",
  },
  refused: {
    after: "1 hour",
    waitsFor: "customer",
    text: "The destination refused many records in a row, so the run pauses until someone lets it go on.",
  },
  no_decision: {
    after: "3 days",
    waitsFor: "partner",
    text: "The customer asked for the full migration, and the partner has not decided who pays.",
  },
} as const satisfies Readonly<
  Record<StuckCauseCode, { readonly after: string; readonly waitsFor: WaitedFor; readonly text: string }>
>;

export type StuckCause = keyof typeof stuckCauses;

export interface Stuck {
  readonly importId: string;
  readonly cause: StuckCause;
  readonly since: Date;
  /** The side or stream that it is about. */
  readonly about: string | null;
}

/** One cause per import: the one that has lasted longest. */
export const longestFirst = (found: readonly Stuck[]): ReadonlyMap<string, Stuck> => {
  const byImport = new Map<string, Stuck>();
  for (const each of found) {
    const known = byImport.get(each.importId);
    if (!known || each.since < known.since) byImport.set(each.importId, each);
  }
  return byImport;
};
