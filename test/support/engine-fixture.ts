import { setTimeout as sleep } from "node:timers/promises";
import type { RunsPort } from "../../server/src/engine/runs-port.ts";
import { createWorker, type Worker, type WorkerParts } from "../../server/src/main/create-worker.ts";
import { createReadiness } from "../../server/src/main/readiness.ts";
import { createWebhooks, webhookTimes } from "../../server/src/features/webhooks/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createOutbound } from "../../server/src/platform/outbound/index.ts";
import { type Counting, createCountingTables } from "./counting-runs.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { testSealer } from "./fixtures.ts";
import { freePort } from "./free-port.ts";
import { createRestateProcess, type RestateProcess } from "./restate-process.ts";
import { patienceMs } from "./patience.ts";

/** A separate database and Restate, for workers whose runs only count. */
export interface EngineFixture {
  readonly db: TestDatabase;
  readonly restate: RestateProcess;
  /** A worker inside this process; `remove` drains it. */
  startWorker(runs: RunsPort, parts?: Partial<WorkerParts>): Promise<InProcessWorker>;
  remove(): Promise<void>;
}

export interface InProcessWorker extends Worker {
  readonly url: string;
  readonly release: string;
  readonly healthUrl: string;
  /** The whole log, one line each. */
  readonly lines: string[];
}

export const createEngineFixture = async (): Promise<EngineFixture> => {
  // One for all workers: they share their keys.
  const sealer = testSealer();
  const [db, restate] = await Promise.all([createTestDatabase(), createRestateProcess()]);
  await Promise.all([createCountingTables(db), restate.start()]);
  const outbound = createOutbound();
  const running = new Set<Worker>();
  return {
    db,
    restate,
    startWorker: async (runs, parts = {}) => {
      const [port, healthPort] = await Promise.all([freePort(), freePort()]);
      const release = parts.release ?? "r1";
      const lines: string[] = [];
      const log = createLog("debug", { write: (line) => void lines.push(line) });
      const webhooks = createWebhooks({
        db,
        sealer,
        outbound,
        log,
        times: webhookTimes(),
        perPartner: 16,
      });
      const worker = createWorker({
        runs,
        webhooks,
        webhookConcurrency: 8,
        db,
        requireReady: createReadiness(db, sealer),
        release,
        port,
        healthPort,
        host: "127.0.0.1",
        url: undefined,
        log,
        ingressUrl: restate.ingressUrl,
        adminUrl: restate.adminUrl,
        identityKeys: [restate.identityKey],
        concurrency: 8,
        sweepEveryMs: 200,
        registerEveryMs: 500,
        ...parts,
      });
      running.add(worker);
      await worker.start();
      const healthUrl = `http://127.0.0.1:${healthPort}`;
      await until("the worker is ready", async () => (await fetch(`${healthUrl}/readyz`)).ok);
      const drain = () => {
        running.delete(worker);
        return worker.drain();
      };
      return { ...worker, drain, url: `http://127.0.0.1:${port}`, release, healthUrl, lines };
    },
    remove: async () => {
      await Promise.all([...running].map((worker) => worker.drain()));
      await outbound.close();
      await restate.remove();
      await db.drop();
    },
  };
};

/** Polls until the condition holds. */
export const until = async (
  what: string,
  isSo: () => Promise<boolean>,
  waitMs = patienceMs,
): Promise<void> => {
  const giveUpAt = performance.now() + waitMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`Not in ${waitMs} ms: ${what}.`);
    await sleep(25);
  }
};

/** Waits until every partition of an import's run has counted to its end. */
export const untilCounted = (db: TestDatabase, importId: string, waitMs?: number): Promise<void> =>
  until(
    `${importId} is counted`,
    async () => {
      const { rows } = await db.pool.query<{ n: number; done: number }>(
        "select count(*) n, count(*) filter (where state = 'done') done from partitions where import_id = $1",
        [importId],
      );
      return rows[0] !== undefined && rows[0].n > 0 && rows[0].n === rows[0].done;
    },
    waitMs,
  );

/** How often each number of each partition was counted, if not exactly once; missing numbers included. */
export const miscounted = async (
  db: TestDatabase,
  importId: string,
  { target }: Counting,
): Promise<readonly object[]> => {
  const { rows } = await db.pool.query<object>(
    `select p.no, n, count(c.number)::int as times from partitions p cross join generate_series(1, $2::int) n
     left join counted c on c.run_id = p.run_id and c.no = p.no and c.number = n
     where p.import_id = $1 group by 1, 2 having count(c.number) <> 1`,
    [importId, target],
  );
  return rows;
};
