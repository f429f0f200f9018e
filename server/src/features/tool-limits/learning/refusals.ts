import type { AccountState } from "../state/account-state.ts";

/** The 429 answers since the process's last report. */
export interface RefusalNews {
  /** When the first and the last of the refused requests started. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The latest of the earliest times at which the quota can be free again; null if no answer said. */
  readonly freeMs: number | null;
  /** Until when to wait, as the answers or the tool's dialect said; null if neither did. */
  readonly until: number | null;
}

/** Tools give waits in whole seconds, rounded up. */
const roundingMs = 1_000;

/**
 * Several refusals state the same end, each rounded up from a different fraction of a second: the earliest is the
 * closest. A clearly later one is a different end, and counts.
 */
export const mergedPause = (pausedUntil: number, until: number, nowMs: number): number => {
  if (pausedUntil <= nowMs || until > pausedUntil + roundingMs * 1.5) return Math.max(until, nowMs);
  return Math.min(pausedUntil, until);
};

/** A request counts when it arrives, shortly after its start: the wait runs from there, less the rounding. */
export const freeAt = (startMs: number, retryAfterMs: number): number =>
  startMs + retryAfterMs - (retryAfterMs % 1_000 === 0 ? Math.min(roundingMs, retryAfterMs) : 0);

const longestSilentMs = 60_000;
const forgottenMs = 120_000;

/** Pauses the account for all processes, and keeps what `concludeRefusal` needs. */
export const noteRefusals = (state: AccountState, news: RefusalNews, nowMs: number): void => {
  if (news.lastMs < state.settledMs) {
    // Stragglers of a settled refusal: only a wait that still lasts is news.
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
