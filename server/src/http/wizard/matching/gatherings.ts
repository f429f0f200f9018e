import { isConnectorError } from "../../../features/tools/index.ts";
import type { ImportRecord, Side } from "../../../features/imports/index.ts";
import { type Facts, gatherFacts } from "../../../features/mapping/index.ts";
import type { OpenRunSide } from "../../../features/runs/index.ts";
import type { Log } from "../../../platform/log.ts";

export type Gathered =
  | { readonly kind: "gathered" }
  | { readonly kind: "not_connected" }
  /** A tool failed; the message is its connector's. Without a side: neither of them is to blame. */
  | { readonly kind: "failed"; readonly message: string; readonly side: Side | null }
  /** The deadline passed; the gathering continues in the background. */
  | { readonly kind: "late" };

interface Needs {
  readonly log: Log;
  readonly openSide: OpenRunSide;
  readonly saveFacts: (importId: string, facts: Facts) => Promise<boolean>;
  /** False: the import was closed meanwhile, so nothing is saved. */
  readonly isOpen: (importId: string) => Promise<boolean>;
  /** How long a request waits for the result. */
  readonly withinMs?: number | undefined;
}

export interface Gatherings {
  /** Reads from both tools, or joins a gathering that is running. */
  gather(found: ImportRecord): Promise<Gathered>;
  close(): void;
}

/** Below the timeout of clients and proxies, which is a minute at most. */
const usualWithinMs = 25_000;
/** A gathering that takes longer is taken for stuck. */
const longestMs = 15 * 60_000;

/** Gathers the facts to match, one gathering per import at a time; requests stop waiting at their deadline. */
export const createGatherings = ({ log, openSide, saveFacts, isOpen, withinMs }: Needs): Gatherings => {
  const going = new Map<string, Promise<Gathered>>();
  const closed = new AbortController();

  /** Notes whose call was refused. */
  const askedBy =
    (side: Side, failed: { side: Side | null }) =>
    async <R>(question: () => Promise<R>): Promise<R> => {
      try {
        return await question();
      } catch (error) {
        failed.side = side;
        throw error;
      }
    };

  const ask = async (
    { id: importId, family }: ImportRecord,
    failed: { side: Side | null },
    signal: AbortSignal,
  ): Promise<Gathered> => {
    const [source, destination] = await Promise.all([
      openSide({ importId, side: "source", runId: null }),
      openSide({ importId, side: "destination", runId: null }),
    ]);
    if (source.kind === "missing" || destination.kind === "missing") return { kind: "not_connected" };
    const facts = await gatherFacts(
      { connector: source.connector, io: source.io(signal), asked: askedBy("source", failed) },
      {
        connector: destination.connector,
        io: destination.io(signal),
        asked: askedBy("destination", failed),
      },
      family,
    );
    if (!signal.aborted && (await isOpen(importId))) await saveFacts(importId, facts);
    return { kind: "gathered" };
  };

  const begin = async (found: ImportRecord): Promise<Gathered> => {
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(longestMs)]);
    const failed = { side: null as Side | null };
    try {
      return await ask(found, failed, signal);
    } catch (error) {
      if (isConnectorError(error)) return { kind: "failed", message: error.message, side: failed.side };
      if (signal.aborted)
        return { kind: "failed", message: "It took too long to read both tools.", side: null };
      log.error({ import_id: found.id, err: error }, "facts not gathered");
      return {
        kind: "failed",
        message: "Something went wrong on our side. We have logged it.",
        side: null,
      };
    } finally {
      going.delete(found.id);
    }
  };

  return {
    gather: async (found) => {
      const work = going.get(found.id) ?? begin(found);
      going.set(found.id, work);
      const late = Promise.withResolvers<Gathered>();
      const timer = setTimeout(() => late.resolve({ kind: "late" }), withinMs ?? usualWithinMs);
      try {
        return await Promise.race([work, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => closed.abort(),
  };
};
