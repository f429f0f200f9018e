import { Readable } from "node:stream";
import type { Log } from "../../../platform/log.ts";

/** The state of an import that the feed sends. */
export interface FeedState {
  /** One line. */
  readonly text: string;
  readonly closed: boolean;
  /** Changes with the customer link: streams that were opened with the old link end. */
  readonly linkMark: string;
}

export interface FeedNeeds {
  /** Reads all imports with listeners in one query. */
  readonly read: (importIds: readonly string[]) => Promise<ReadonlyMap<string, FeedState>>;
  /** Which of these sessions are still valid; each poll asks for all listening sessions. */
  readonly liveSessions: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly log: Log;
  readonly everyMs?: number;
  readonly heartbeatMs?: number;
  readonly maxListeners?: number;
  readonly maxPerImport?: number;
  /** The maximum age of a stream; afterwards the client must authenticate again. */
  readonly longestMs?: number;
}

/** A listener as the gate authenticated it. */
export interface Listening {
  readonly importId: string;
  /** The mark of the import's link at that time. */
  readonly linkMark: string;
  /** The session's hash; null: the request carried the link's token itself. */
  readonly session: string | null;
}

export interface ProgressFeed {
  /** Server-sent events: the whole state, then again on every change. Undefined: too many listeners. */
  listen(who: Listening): Readable | undefined;
  listeners(): number;
  /** Ends every stream; later clients get an empty stream with a retry delay. */
  close(): void;
}

interface Listener extends Listening {
  readonly stream: Readable;
  readonly since: number;
  sent: string | null;
  sentAt: number;
}

/** Long enough to replace a process, short enough that the page stays live. */
const comeBack = "retry: 2000\n\n";
/** Batches listeners that arrive together into one poll. */
const soonMs = 100;

const event = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`;

const ended = (text: string): Readable => {
  const stream = new Readable({ read: () => {} });
  stream.push(text);
  stream.push(null);
  return stream;
};

/** One poller for all listeners of this process; it pauses without listeners. */
export const createProgressFeed = ({
  read,
  liveSessions,
  log,
  everyMs = 1_000,
  heartbeatMs = 15_000,
  maxListeners = 1_000,
  maxPerImport = 20,
  longestMs = 15 * 60_000,
}: FeedNeeds): ProgressFeed => {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let polling = false;
  let somebodyNew = false;
  let closed = false;

  const finish = (listener: Listener, lastWords = "") => {
    listeners.delete(listener);
    if (lastWords !== "") listener.stream.push(lastWords);
    listener.stream.push(null);
  };

  const tell = (listener: Listener, state: FeedState | undefined, now: number) => {
    const { stream } = listener;
    if (!state || state.closed) return finish(listener, event("closed", "{}"));
    if (state.linkMark !== listener.linkMark || now - listener.since > longestMs) return finish(listener);
    // A slow reader gets the newest state later, not every state.
    if (stream.readableLength > 0) return;
    if (state.text !== listener.sent) {
      stream.push(event("progress", state.text));
      listener.sent = state.text;
    } else if (now - listener.sentAt < heartbeatMs) return;
    else stream.push(": still here\n\n");
    listener.sentAt = now;
  };

  const poll = async () => {
    polling = true;
    somebodyNew = false;
    dueAt = Number.POSITIVE_INFINITY;
    const asked = [...listeners];
    try {
      const states = await read([...new Set(asked.map(({ importId }) => importId))]);
      const hashes = [...new Set(asked.flatMap(({ session }) => session ?? []))];
      const live = hashes.length === 0 ? new Set() : await liveSessions(hashes);
      const now = performance.now();
      for (const listener of asked)
        if (!listeners.has(listener)) continue;
        else if (listener.session !== null && !live.has(listener.session)) finish(listener);
        else tell(listener, states.get(listener.importId), now);
    } catch (error) {
      // Send nothing, not even a heartbeat: the page then shows that it is not live.
      log.warn({ err: error }, "progress not read");
    } finally {
      polling = false;
      schedule(somebodyNew ? soonMs : everyMs);
    }
  };

  /** Only moves the next poll earlier: new listeners must not delay the waiting ones. */
  const schedule = (ms: number) => {
    const at = performance.now() + ms;
    if (closed || listeners.size === 0 || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => void poll(), ms);
    timer.unref();
  };

  const countOf = (importId: string) =>
    listeners.values().reduce((sum, listener) => sum + (listener.importId === importId ? 1 : 0), 0);

  return {
    listeners: () => listeners.size,
    listen: (who) => {
      if (closed) return ended(comeBack);
      if (listeners.size >= maxListeners || countOf(who.importId) >= maxPerImport) return undefined;
      const stream = new Readable({ read: () => {} });
      const now = performance.now();
      const listener: Listener = { ...who, stream, since: now, sent: null, sentAt: now };
      stream.once("close", () => listeners.delete(listener));
      stream.push(comeBack);
      listeners.add(listener);
      somebodyNew = true;
      if (!polling) schedule(soonMs);
      return stream;
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const listener of listeners) finish(listener);
    },
  };
};
