import { isConnectorError, type RateLimit } from "@portage/connector-kit";
import { createSharedAccounts } from "../../server/src/features/tool-limits/process/account-slots.ts";
import type { RowKey, SlotChange } from "../../server/src/features/tool-limits/state/store.ts";

export interface Simulated {
  readonly window: "fixed" | "sliding";
  readonly requests: number;
  readonly perMs: number;
  readonly phaseMs: number;
  readonly latencyMs: () => number;
  /** On the way to the tool: a part of the latency. */
  readonly wayMs?: () => number;
  readonly tellsHeaders: boolean;
  readonly tellsWait: boolean;
  readonly limits: readonly RateLimit[];
  readonly concurrency: number;
  /** The runs of each process. */
  readonly processes: readonly (readonly string[])[];
  readonly atATime: number;
  /** The latency of the database in each direction. */
  readonly tripMs?: () => number;
  /** Another client uses the same account at this interval. */
  readonly foreignEveryMs?: number;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The table's rows in memory, for a simulated clock. */
export const createMemoryRows = (tripMs: () => number) => {
  const rows = new Map<string, { version: number; state: string }>();
  const nameOf = ({ tool, accountId }: RowKey) => `${tool}\n${accountId}`;
  return {
    rows,
    async read(keys: readonly RowKey[]) {
      await wait(tripMs());
      const nowMs = 1_700_000_000_000 + performance.now();
      const found = keys.map((key) => {
        const row = rows.get(nameOf(key));
        return {
          ...key,
          version: row?.version ?? null,
          state: row ? (JSON.parse(row.state) as unknown) : null,
        };
      });
      await wait(tripMs());
      return { rows: found, nowMs };
    },
    async change(changes: readonly SlotChange[]) {
      await wait(tripMs());
      const made = changes.filter((change) => {
        const row = rows.get(nameOf(change));
        if (row && row.version !== (change.from ?? 0)) return false;
        rows.set(nameOf(change), { version: change.to, state: JSON.stringify(change.state) });
        return true;
      });
      await wait(tripMs());
      return made;
    },
  };
};

/** Several processes and a tool with a quota in simulated time: call under fake timers. */
export const simulateQuota = (of: Simulated) => {
  const table = createMemoryRows(of.tripMs ?? (() => 1));
  const accepted: number[] = [];
  const refused: number[] = [];
  let first = 0;
  const startedAt = performance.now() - of.phaseMs;
  const call = async () => {
    const way = of.wayMs?.() ?? 0;
    if (way > 0) await wait(way);
    const at = performance.now();
    const from =
      of.window === "fixed" ? startedAt + Math.floor((at - startedAt) / of.perMs) * of.perMs : at - of.perMs;
    while ((accepted[first] ?? Number.POSITIVE_INFINITY) <= from) first += 1;
    const isAccepted = accepted.length - first < of.requests;
    (isAccepted ? accepted : refused).push(at);
    const freeMs = (of.window === "fixed" ? from : (accepted[first] ?? at)) + of.perMs - at;
    const headerMs = Math.max(1, Math.ceil(freeMs / 1000)) * 1000;
    const remaining = of.requests - (accepted.length - first);
    await wait(of.latencyMs());
    return {
      status: isAccepted ? 200 : 429,
      retryAfterMs: !isAccepted && of.tellsWait ? headerMs : null,
      quotas: of.tellsHeaders ? [{ name: "left", remaining, resetMs: headerMs }] : [],
    };
  };
  const never = new AbortController();
  const ours = { accepted: 0, refused: 0 };
  const foreign = async (everyMs: number) => {
    while (!never.signal.aborted) {
      await wait(everyMs);
      void call();
    }
  };
  if (of.foreignEveryMs !== undefined) void foreign(of.foreignEveryMs);
  const byRun: Record<string, number> = {};
  let inFlight = 0;
  let peakInFlight = 0;
  const members = of.processes.map((runs, index) => {
    const slots = createSharedAccounts({
      ...table,
      // The same names each time, so that the simulation is deterministic: the caller passes the random numbers.
      process: `process ${index}`,
      onProblem: (error) => {
        throw error;
      },
    });
    for (const run of runs) {
      const limiter = slots.limiterFor({
        tool: "tool",
        instance: "tool.example",
        accountId: "acme",
        side: "source",
        runId: run,
        limits: of.limits,
        concurrency: of.concurrency,
      });
      const worker = async () => {
        for (;;)
          try {
            const slot = await limiter.take({ kind: "read" }, never.signal);
            const begun = performance.now();
            inFlight += 1;
            peakInFlight = Math.max(peakInFlight, inFlight);
            const answer = await call();
            inFlight -= 1;
            ours[answer.status === 200 ? "accepted" : "refused"] += 1;
            limiter.learn({ ...answer, tookMs: performance.now() - begun });
            slot.release();
            if (answer.status === 200) byRun[run] = (byRun[run] ?? 0) + 1;
            else await wait(answer.retryAfterMs ?? 250);
          } catch (error) {
            if (!isConnectorError(error) || never.signal.aborted) return;
            await wait(error.retryAfterMs ?? 250);
          }
      };
      for (let n = 0; n < of.atATime; n += 1) void worker();
    }
    return slots;
  });
  return {
    accepted,
    refused,
    ours,
    byRun,
    table,
    members,
    peakInFlight: () => peakInFlight,
    since: (at: number) => at - startedAt - of.phaseMs,
    stop: () => never.abort(new Error("over")),
  };
};
