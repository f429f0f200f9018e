import type { AccountState } from "../state/account-state.ts";

/** Answers 429 since the process was last heard of. */
export interface RefusalNews {
  /** When the first and the last of the requests had started. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The latest of the earliest moments at which the quota can be free again; null where no answer told. */
  readonly freeMs: number | null;
  /** Until when to wait, by what was told; null where no answer told. */
  readonly until: number | null;
}

/** Waits are told in whole seconds, rounded up. */
const roundingMs = 1_000;

/**
 * Several refusals tell the same end, each rounded up by another part of a second: the earliest is the closest. One that
 * is clearly later is another end, and counts.
 */
export const mergedPause = (pausedUntil: number, until: number, nowMs: number): number => {
  if (pausedUntil <= nowMs || until > pausedUntil + roundingMs * 1.5) return Math.max(until, nowMs);
  return Math.min(pausedUntil, until);
};

/** A request counts when it arrives, shortly after its start: the wait is from there, less what was rounded up. */
export const freeAt = (startMs: number, retryAfterMs: number): number =>
  startMs + retryAfterMs - (retryAfterMs % 1_000 === 0 ? Math.min(roundingMs, retryAfterMs) : 0);

const longestSilentMs = 60_000;
const forgottenMs = 120_000;

/** Pauses the account for everybody, and remembers what a conclusion will be drawn from. */
export const noteRefusals = (state: AccountState, news: RefusalNews, nowMs: number): void => {
  if (news.lastMs < state.settledMs) {
    // Stragglers of a refusal that is over: only a wait that goes on is news.
    if (news.until !== null && news.until > nowMs + 2 * roundingMs)
      state.pausedUntil = mergedPause(state.pausedUntil, news.until, nowMs);
    return;
  }
  const known = state.refused;
  if (!known && nowMs - state.settledMs > forgottenMs) state.silentRefusals = 0;
  if (news.until === null) {
    if (!known) state.silentRefusals += 1;
    const waitMs = Math.min(longestSilentMs, roundingMs * 2 ** Math.min(10, state.silentRefusals - 1));
    state.pausedUntil = Math.max(state.pausedUntil, known ? 0 : nowMs + waitMs);
  } else {
    state.silentRefusals = 0;
    state.pausedUntil = mergedPause(state.pausedUntil, news.until, nowMs);
  }
  state.refused = {
    firstMs: Math.min(known?.firstMs ?? news.firstMs, Math.max(news.firstMs, state.settledMs)),
    notedMs: nowMs,
    freeMs: known?.freeMs == null ? news.freeMs : Math.max(known.freeMs, news.freeMs ?? 0),
  };
};
