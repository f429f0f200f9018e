import { isConnectorError } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { WizardKind } from "@portage/contract/wizard";
import { LRUCache } from "lru-cache";
import type { DestinationStreams, Opened, OpenSide } from "../connections/index.ts";
import type { ToolRegistry } from "../tools/index.ts";
import { kindsOf } from "./kinds.ts";

interface Needs {
  readonly registry: ToolRegistry;
  readonly openSide: OpenSide;
  readonly destinationStreams: DestinationStreams;
  /** How long a page waits for the tool's answer. */
  readonly patienceMs?: number | undefined;
}

interface Move {
  readonly id: string;
  readonly family: Family;
  readonly sourceTool: string;
  readonly destinationTool: string;
}

type Offered = Awaited<ReturnType<DestinationStreams>>;

const longestMs = 15_000;
/** A tool that is down must not slow every page. */
const notAskedAgainMs = 30_000;

/** Finds what can move and what copies keep; null: only the destination itself knows, and it has not answered. */
export const createFindKinds = ({ registry, openSide, destinationStreams, patienceMs = 2_000 }: Needs) => {
  const unanswered = new LRUCache<string, true>({ max: 1_000, ttl: notAskedAgainMs });

  const ask = async (opened: Extract<Opened, { kind: "open" }>, family: Family): Promise<Offered | null> => {
    const signal = AbortSignal.timeout(longestMs);
    try {
      return await destinationStreams(opened, family, signal);
    } catch (error) {
      // Without the tool's confirmation, promise nothing.
      if (isConnectorError(error) || signal.aborted) return null;
      throw error;
    }
  };

  const askInTime = async ({ id, family }: Move): Promise<Offered | null> => {
    const opened = await openSide({ importId: id, side: "destination", runId: null });
    if (opened.kind === "missing") return null;
    const key = `${id}:${opened.revision}`;
    if (unanswered.get(key)) return null;
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => {
      unanswered.set(key, true);
      late.resolve(null);
    }, patienceMs);
    // The request runs to its end even if the page stops waiting, so that the next caller gets the answer at once.
    const answer = ask(opened, family).then((offered) => {
      if (offered === null) unanswered.set(key, true);
      else unanswered.delete(key);
      return offered;
    });
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };

  return async (move: Move): Promise<readonly WizardKind[] | null> => {
    const destination = registry.find(move.destinationTool);
    const read = registry.find(move.sourceTool)?.source?.[move.family] ?? [];
    // Most tools are the same for every account: their declaration is known before any sign-in.
    const offered = destination?.offers
      ? await askInTime(move)
      : (destination?.destination?.[move.family] ?? []);
    return offered && kindsOf(read, offered);
  };
};

export type FindKinds = ReturnType<typeof createFindKinds>;
