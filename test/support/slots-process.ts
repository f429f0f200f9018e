import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "@portage/connector-kit/http";
import { createAccountSlots, type CreateLimiter } from "../../server/src/features/tool-limits/index.ts";
import { openDatabase } from "../../server/src/platform/db.ts";

/** The task of a separate process with an account. */
export interface SlotsOrder {
  readonly url: string;
  readonly of: CreateLimiter;
  readonly runs: readonly string[];
  /** What the requests of a run are; by default reads. */
  readonly calls?: Readonly<Record<string, Call>>;
  readonly atATime: number;
  /** How long each request takes. */
  readonly requestMs: number;
  readonly durationMs: number;
}

/** When each request started and ended, by the machine's clock. */
export type SlotsDone = readonly { readonly run: string; readonly from: number; readonly to: number }[];

const work = async ({
  url,
  of,
  runs,
  calls = {},
  atATime,
  requestMs,
  durationMs,
}: SlotsOrder): Promise<SlotsDone> => {
  const db = openDatabase({
    url,
    poolSize: 2,
    statementTimeoutMs: 120_000,
    acquireTimeoutMs: 10_000,
    applicationName: "portage test",
    onConnectionLost: () => {},
  });
  const slots = createAccountSlots({
    db,
    onProblem: (error) => {
      throw error;
    },
  });
  const done: { run: string; from: number; to: number }[] = [];
  const over = AbortSignal.timeout(durationMs);
  const worker = async (run: string) => {
    const limiter = slots.limiterFor({ ...of, runId: run });
    const call = calls[run] ?? { kind: "read" };
    for (;;) {
      const slot = await limiter.take(call, over).catch(() => null);
      if (!slot) return;
      const from = Date.now();
      process.send?.({ started: from });
      await sleep(requestMs);
      limiter.learn({
        call,
        status: 200,
        retryAfterMs: null,
        quotas: [],
        tookMs: Date.now() - from,
      });
      done.push({ run, from, to: Date.now() });
      slot.release();
    }
  };
  await Promise.all(runs.flatMap((run) => Array.from({ length: atATime }, () => worker(run))));
  await slots.close();
  await db.close();
  return done;
};

process.on("message", async (order: SlotsOrder) => {
  process.send?.({ done: await work(order) });
  process.disconnect();
});
