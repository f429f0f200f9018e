import type { WizardProgress } from "@portage/contract/wizard";
import type { Outcome } from "../../client/problem.ts";

/** Whether the page shows the current state. */
export type Liveness =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** The server does not answer. The move itself is not affected. */
  | { readonly kind: "stale"; readonly since: Date };

/** The part of EventSource that we use. */
export interface EventStream {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

export interface LiveNeeds {
  readonly openStream: () => EventStream;
  readonly ask: () => Promise<Outcome<WizardProgress>>;
  readonly now: () => number;
  readonly onProgress: (progress: WizardProgress) => void;
  readonly onLiveness: (liveness: Liveness) => void;
  /** The import was closed or the session has ended; the caller decides which page to show. */
  readonly onEnded: () => void;
}

export interface Live {
  /** Call it about every second, and immediately when the page wakes up. */
  tick(): void;
  /** The browser has reported that it is offline. */
  lost(): void;
  stop(): void;
}

const closed = 2;
/** The stream is silent while nothing changes: after this time a poll checks that the server still answers. */
const silentMs = 20_000;
const askAgainMs = 5_000;
const firstBackOffMs = 2_000;
const longestBackOffMs = 30_000;

/** Receives progress from a stream, and by polling while there is none. */
export const createLive = (needs: LiveNeeds): Live => {
  let stream: EventStream | null = null;
  let heardAt: number | null = null;
  let openAt = 0;
  let askAt = needs.now() + askAgainMs;
  let failures = 0;
  let asking = false;
  let stopped = false;
  let reported: Liveness = { kind: "connecting" };

  const tell = (liveness: Liveness) => {
    if (liveness.kind === reported.kind) return;
    reported = liveness;
    needs.onLiveness(liveness);
  };
  const drop = () => {
    stream?.close();
    stream = null;
  };
  const stop = () => {
    stopped = true;
    drop();
  };
  const end = () => {
    if (stopped) return;
    stop();
    needs.onEnded();
  };
  const heard = (progress: WizardProgress) => {
    if (stopped) return;
    heardAt = needs.now();
    needs.onProgress(progress);
    tell({ kind: "live" });
  };
  const lost = () => {
    if (!stopped) tell({ kind: "stale", since: new Date(heardAt ?? needs.now()) });
  };
  const giveUpStream = () => {
    drop();
    openAt = needs.now() + Math.min(longestBackOffMs, firstBackOffMs * 2 ** failures);
    failures += 1;
    askAt = Math.min(askAt, needs.now());
  };

  const open = () => {
    const opened = needs.openStream();
    stream = opened;
    opened.addEventListener("progress", ({ data }) => {
      if (opened !== stream || typeof data !== "string") return;
      failures = 0;
      askAt = needs.now() + silentMs;
      heard(JSON.parse(data) as WizardProgress);
    });
    opened.addEventListener("closed", () => {
      if (opened === stream) end();
    });
    opened.addEventListener("error", () => {
      // While the stream reconnects, the browser handles it.
      if (opened === stream && opened.readyState === closed) giveUpStream();
    });
  };

  const ask = async () => {
    asking = true;
    askAt = needs.now() + askAgainMs;
    const outcome = await needs.ask();
    asking = false;
    if (stopped) return;
    if (outcome.kind === "ok") heard(outcome.value);
    else if (outcome.kind === "expired" || outcome.kind === "gone") end();
    else {
      lost();
      if (stream) giveUpStream();
    }
  };

  return {
    lost,
    stop,
    tick: () => {
      if (stopped) return;
      const now = needs.now();
      if (!stream && now >= openAt) open();
      if (!asking && now >= askAt) void ask();
    },
  };
};
