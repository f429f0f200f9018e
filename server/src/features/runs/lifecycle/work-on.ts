import type { BudgetLimits } from "../chunk/task.ts";
import type { ChunkEnd, ChunkRef, ChunkToSend } from "../run.ts";
import type { ChunkOptions, Shared } from "./work-chunk.ts";

interface Worker {
  readonly signal: AbortSignal;
  /** Sends chunks while this one is at work; omitted: what can be worked on in parallel is left to the engine. */
  readonly send?: (chunks: readonly ChunkToSend[]) => Promise<void>;
}
type WorkChunk = (ref: ChunkRef, worker: Worker, options: ChunkOptions) => Promise<ChunkEnd>;

/** Together with a last chunk, still within a minute. */
const longestMs = 20_000;
/** How long the other partitions of a step wait for this one: others could work on them. */
const longestWaitMs = 2_000;
const mostBeside = 500;
const budgetBeside: BudgetLimits = { pages: 3, ms: 1_000 };

/** Parts of one stream are many only if they are large. */
const isSplit = (chunks: readonly ChunkToSend[]) =>
  new Set(chunks.map(({ begins }) => `${begins?.task} ${begins?.stream}`)).size < chunks.length;

/** The other partitions of a step. What has waited too long is sent. */
const createWaiting = (send: Worker["send"]) => {
  let chunks: readonly ChunkToSend[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<readonly ChunkToSend[]> = Promise.resolve([]);
  const sendAll = () => {
    const late = chunks;
    chunks = [];
    timer = undefined;
    const sent = send?.(late).then(
      () => [],
      () => late,
    );
    sending = Promise.all([sending, sent ?? late]).then((each) => each.flat());
  };
  return {
    list: () => chunks,
    set: (left: readonly ChunkToSend[]) => {
      chunks = left;
      if (left.length > 0) timer ??= setTimeout(sendAll, longestWaitMs);
      else {
        clearTimeout(timer);
        timer = undefined;
      }
    },
    /** All that is not sent. */
    end: async (): Promise<readonly ChunkToSend[]> => {
      clearTimeout(timer);
      return [...chunks, ...(await sending)];
    },
  };
};

/**
 * Works on a chunk. If its partition ends there, goes on with what that started, as long as it is little: most steps of a small
 * import take milliseconds, and sending each to the engine takes longer. What is left over is sent. If the process dies
 * meanwhile, the engine's next attempt finds the partition ended, and sends what its run went on with.
 */
export const createWorkOn =
  (workChunk: WorkChunk) =>
  async (ref: ChunkRef, worker: Worker): Promise<ChunkEnd> => {
    const shared: Shared = {};
    const begunAt = performance.now();
    const waiting = createWaiting(worker.send);
    let all = { read: 0, written: 0 };
    /** Records, since partitions wait. */
    let beside = 0;
    try {
      for (let next = ref; ; ) {
        const isBeside = waiting.list().length > 0;
        const { send, ...done } = await workChunk(next, worker, {
          shared,
          ...(isBeside && { budget: budgetBeside }),
        });
        all = { read: all.read + done.read, written: all.written + done.written };
        beside = isBeside ? beside + done.read + done.written : 0;
        const left = [...waiting.list(), ...send];
        const [first, ...others] = left;
        const isLittle =
          others.length === 0 || (worker.send !== undefined && beside < mostBeside && !isSplit(left));
        const isInTime = performance.now() - begunAt < longestMs && !worker.signal.aborted;
        waiting.set(others);
        if (!first || !isLittle || !isInTime || left.some(({ begins }) => !begins))
          return { ...all, send: [...(first ? [first] : []), ...(await waiting.end())] };
        next = first;
      }
    } finally {
      await waiting.end();
    }
  };
