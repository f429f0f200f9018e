import { createOpenSide, destinationStreams } from "../features/connections/index.ts";
import type { QuotaNeeds } from "../features/runs/index.ts";
import { createAccountSlots, describeAccount } from "../features/tool-limits/index.ts";
import type { ToolRegistry } from "../features/tools/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/index.ts";
import type { Outbound } from "../platform/outbound/index.ts";
import type { Sealer } from "../platform/seal.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly outbound: Outbound;
  readonly log: Log;
  /** The bytes of large answers that this process receives at a time. */
  readonly largeAnswerBytes: number;
  readonly metrics?: Metrics | undefined;
}

/** Opens customers' tools, sharing each account's quota with all other processes. */
export const createSides = (needs: Needs) => {
  const { db, sealer, registry, outbound, log, largeAnswerBytes, metrics } = needs;
  const slots = createAccountSlots({
    db,
    onProblem: (error) => log.warn({ err: error }, "account slots not shared"),
  });
  const openSide = createOpenSide({
    db,
    sealer,
    registry,
    transport: outbound,
    limiterFor: slots.limiterFor,
    largeAnswerBytes,
    ...(metrics && { metrics }),
  });
  const requestsPerMinute = async (tool: string, accountId: string) =>
    (await describeAccount(db, tool, accountId)).requestsPerMinute;
  const quota: QuotaNeeds = {
    destinationOf: async (importId) => {
      const opened = await openSide({ importId, side: "destination", runId: null });
      if (opened.kind === "missing") return null;
      const { manifest, destination } = opened.connector;
      const streams = Object.values(destination ?? {}).flat();
      return {
        accountId: `${manifest.name}/${opened.accountId}`,
        recordsPerRequest: (name) => streams.find(({ stream }) => stream.name === name)?.batchSize ?? 1,
      };
    },
    requestsPerMinute: async (account) => {
      const split = account.indexOf("/");
      return requestsPerMinute(account.slice(0, split), account.slice(split + 1));
    },
  };
  return { openSide, destinationStreams, requestsPerMinute, quota, close: () => slots.close() };
};
