import { isConnectorError, type SourceStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import { LRUCache } from "lru-cache";
import type { Log } from "../../platform/log.ts";
import type { Opened, OpenSide } from "../connections/index.ts";
import { createLooker, type StreamLook } from "../preflight/index.ts";

/** Longer than the count of the largest account that a customer would wait for. */
const longestMs = 120_000;
/** Several screens show the same count. */
const ttlMs = 10 * 60_000;

export interface StreamCount {
  readonly from: SourceStream;
  /** Null: not counted yet, or counting stopped before. */
  readonly look: StreamLook | null;
}

export type SourceCounts =
  | { readonly kind: "not_connected" }
  | {
      readonly kind: "counts";
      readonly opened: Extract<Opened, { kind: "open" }>;
      readonly counting: boolean;
      /** Why counting stopped before its end. */
      readonly trouble: string | null;
      readonly streams: readonly StreamCount[];
    };

interface Needs {
  readonly log: Log;
  readonly openSide: OpenSide;
  /** How long a caller waits before it gets the counts known so far. */
  readonly answerWithinMs?: number | undefined;
}

interface Counting {
  readonly looks: Map<string, StreamLook>;
  trouble: string | null;
  done: boolean;
  ended: Promise<void>;
}

/** Counts the source's records in the background, once per sign-in; callers get the counts known so far. */
export const createSourceCounts = ({ log, openSide, answerWithinMs = 1_000 }: Needs) => {
  const kept = new LRUCache<string, Counting>({ max: 1_000, ttl: ttlMs });
  const closed = new AbortController();

  const begin = (
    opened: Extract<Opened, { kind: "open" }>,
    streams: readonly SourceStream[],
    importId: string,
  ): Counting => {
    const counting: Counting = { looks: new Map(), trouble: null, done: false, ended: Promise.resolve() };
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(longestMs)]);
    const count = async () => {
      const look = createLooker(opened.io(signal));
      for (const from of streams) counting.looks.set(from.stream.name, await look({ from, to: null }));
    };
    counting.ended = count()
      .catch((error: unknown) => {
        if (isConnectorError(error)) counting.trouble = error.message;
        else if (signal.aborted) counting.trouble = "Counting took too long.";
        else {
          log.error({ import_id: importId, err: error }, "counting the source failed");
          counting.trouble = "Something went wrong on our side. We have logged it.";
        }
      })
      .finally(() => {
        counting.done = true;
      });
    return counting;
  };

  const inTime = async (counting: Counting) => {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, answerWithinMs);
    await Promise.race([counting.ended, late.promise]);
    clearTimeout(timer);
  };

  return {
    of: async (importId: string, family: Family): Promise<SourceCounts> => {
      const opened = await openSide({ importId, side: "source", runId: null });
      if (opened.kind === "missing") return { kind: "not_connected" };
      const streams = opened.connector.source?.[family] ?? [];
      const key = `${importId}:${opened.revision}`;
      const known = kept.get(key);
      // A failed count starts again with the next call after its end.
      const counting = known && !(known.done && known.trouble) ? known : begin(opened, streams, importId);
      if (counting !== known) kept.set(key, counting);
      await inTime(counting);
      return {
        kind: "counts",
        opened,
        counting: !counting.done,
        trouble: counting.trouble,
        streams: streams.map((from) => ({ from, look: counting.looks.get(from.stream.name) ?? null })),
      };
    },
    close: () => closed.abort(),
  };
};

export type SourceCounter = ReturnType<typeof createSourceCounts>;
