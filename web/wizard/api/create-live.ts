import type { WizardProgress } from "@portage/contract/wizard";
import type { Outcome } from "./problem.ts";

/** Whether what a page shows is how things stand now. */
export type Liveness =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** Nobody answers: a lost connection is never a lost move. */
  | { readonly kind: "stale"; readonly since: Date };

/** What is used of an EventSource. */
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
  /** The import was closed, or the session has ended: somebody else decides what is shown now. */
  readonly onEnded: () => void;
}

export interface Live {
  /** To be called about every second, and at once when the page wakes up. */
  tick(): void;
  /** The browser has said that there is no connection. */
  lost(): void;
  stop(): void;
}

const closed = 2;
/** Nothing is heard where nothing changes: asking tells whether anybody is there. */
const silentMs = 20_000;
const askAgainMs = 5_000;
const firstBackOffMs = 2_000;
const longestBackOffMs = 30_000;

/** Keeps progress flowing: by a stream while there is one, by asking while there is none. */
export const createLive = (needs: LiveNeeds): Live => {
  let stream: EventStream | null = null;
  let heardAt: number | null = null;
  let openAt = 0;
  let askAt = needs.now() + askAgainMs;
  let failures = 0;
  let asking = false;
  let stopped = false;
  let told: Liveness = { kind: "connecting" };

  const tell = (liveness: Liveness) => {
    if (liveness.kind === told.kind) return;
    told = liveness;
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
      // While it is only connecting again, the browser sees to it.
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
