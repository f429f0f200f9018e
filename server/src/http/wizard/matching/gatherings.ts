import { isConnectorError } from "../../../features/tools/index.ts";
import type { ImportRecord } from "../../../features/imports/index.ts";
import { type Facts, gatherFacts } from "../../../features/mapping/index.ts";
import type { OpenSide } from "../../../features/runs/index.ts";
import type { Log } from "../../../platform/log.ts";

export type Gathered =
  | { readonly kind: "gathered" }
  | { readonly kind: "not_connected" }
  /** A tool did not tell, in its connector's words. */
  | { readonly kind: "failed"; readonly message: string }
  /** It goes on, without anybody who waits. */
  | { readonly kind: "late" };

interface Needs {
  readonly log: Log;
  readonly openSide: OpenSide;
  readonly saveFacts: (importId: string, facts: Facts) => Promise<boolean>;
  /** Nothing more is kept of an import that was closed meanwhile. */
  readonly isOpen: (importId: string) => Promise<boolean>;
  /** How long anybody waits for the answer. */
  readonly withinMs?: number | undefined;
}

export interface Gatherings {
  /** Asks both tools, or waits with those who have asked already. */
  gather(found: ImportRecord): Promise<Gathered>;
  close(): void;
}

/** Whoever waits for the answer, and whatever stands in between, hangs up after a minute at the latest. */
const usualWithinMs = 25_000;
/** What takes longer than this will not end. */
const longestMs = 15 * 60_000;

/** What there is to match, gathered once at a time for each import, for as long as it takes. */
export const createGatherings = ({ log, openSide, saveFacts, isOpen, withinMs }: Needs): Gatherings => {
  const going = new Map<string, Promise<Gathered>>();
  const closed = new AbortController();

  const ask = async ({ id: importId, family }: ImportRecord, signal: AbortSignal): Promise<Gathered> => {
    const [source, destination] = await Promise.all([
      openSide({ importId, side: "source", runId: null }),
      openSide({ importId, side: "destination", runId: null }),
    ]);
    if (source.kind === "missing" || destination.kind === "missing") return { kind: "not_connected" };
    const facts = await gatherFacts(
      { connector: source.connector, io: source.io(signal) },
      { connector: destination.connector, io: destination.io(signal) },
      family,
    );
    if (!signal.aborted && (await isOpen(importId))) await saveFacts(importId, facts);
    return { kind: "gathered" };
  };

  const begin = async (found: ImportRecord): Promise<Gathered> => {
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(longestMs)]);
    try {
      return await ask(found, signal);
    } catch (error) {
      if (isConnectorError(error)) return { kind: "failed", message: error.message };
      if (signal.aborted) return { kind: "failed", message: "It took too long to read both tools." };
      log.error({ import_id: found.id, err: error }, "facts not gathered");
      return { kind: "failed", message: "Something went wrong on our side. We have logged it." };
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
