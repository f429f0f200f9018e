import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { givenEffect, givenImport } from "../../../test/support/counting-import.ts";
import { type Counting, counting } from "../../../test/support/counting-runs.ts";
import {
  createEngineFixture,
  type EngineFixture,
  miscounted,
  until,
  untilCounted,
} from "../../../test/support/engine-fixture.ts";
import { spawnWorker, startWorkerProcess, type WorkerProcess } from "../../../test/support/worker-process.ts";
import { createAdmin } from "../engine/admin.ts";
import { readRelease } from "./release.ts";

let fixture: EngineFixture;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  fixture = await createEngineFixture();
  env = {
    DATABASE_URL: fixture.db.url,
    PORTAGE_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PUBLIC_URL: "http://portage.test",
    RESTATE_INGRESS_URL: fixture.restate.ingressUrl,
    RESTATE_ADMIN_URL: fixture.restate.adminUrl,
    RESTATE_IDENTITY_KEYS: fixture.restate.identityKey,
    LOG_LEVEL: "debug",
  };
});
afterAll(() => fixture.remove());

/** Long enough to be interrupted midway, with a lease that no test waits for unless it sets its own. */
const long: Counting = { ...counting, target: 150, pagesPerChunk: 25, pageMs: 20, leaseMs: 120_000 };

const start = async (
  release: string,
  plan: Counting,
  port?: number,
  more: Readonly<Record<string, string>> = {},
): Promise<WorkerProcess> => {
  const worker = await startWorkerProcess({
    program: "test/support/counting-worker.ts",
    env: { ...env, RELEASE: release, COUNTING: JSON.stringify(plan), ...more },
    ...(port !== undefined && { port }),
  });
  onTestFinished(async () => {
    worker.kill("SIGKILL");
    await worker.exited;
  });
  return worker;
};

const givenRun = async () => {
  const importId = await givenImport(fixture.db);
  await givenEffect(fixture.db, importId, { kind: "start_run", run: "full" });
  return importId;
};
const counted = async (importId: string, worker = "%") => {
  const { rows } = await fixture.db.pool.query<{ n: number }>(
    "select count(*) n from counted c join runs r on r.id = c.run_id where r.import_id = $1 and worker like $2",
    [importId, worker],
  );
  return rows[0]?.n ?? 0;
};
const untilHalf = (importId: string) =>
  until("half is counted", async () => (await counted(importId)) > long.target * 0.6);

const expectAllCounted = async (importId: string, plan: Counting = long) => {
  await untilCounted(fixture.db, importId, 60_000);
  expect(await miscounted(fixture.db, importId, plan)).toEqual([]);
};

describe("a run continues, and counts every page once,", () => {
  test("when the worker is killed midway and another one starts", async () => {
    const plan = { ...long, leaseMs: 3_000 };
    const first = await start("killed", plan);
    const importId = await givenRun();
    await untilHalf(importId);
    first.kill("SIGKILL");
    expect(await first.exited).toMatchObject({ signal: "SIGKILL" });
    await start("killed", plan, first.port);
    await expectAllCounted(importId);
  });

  test("when Restate loses its state midway: the sweep restarts the run", async () => {
    const plan = { ...long, leaseMs: 3_000 };
    await start("wiped", plan);
    const importId = await givenRun();
    await untilHalf(importId);
    await fixture.restate.kill();
    fixture.restate.wipe();
    const before = await counted(importId);
    await sleep(500);
    await fixture.restate.start();
    await expectAllCounted(importId);
    expect(before).toBeLessThan(long.target * long.partitions);
  });

  test("when the worker gets SIGTERM: it hands over at the next page, and its successor continues", async () => {
    // Without the signal a chunk would end on its own after six seconds.
    const plan = { ...long, partitions: 5, pagesPerChunk: 1_000, pageMs: 500, target: 12 };
    const first = await start("stopped", plan);
    const importId = await givenRun();
    await until("it has begun", async () => (await counted(importId)) > 2);
    first.kill("SIGTERM");
    expect(await first.exited).toEqual({ code: 0, signal: null });
    // Otherwise its share of the accounts' quotas would stay reserved until a timeout.
    expect(first.lines).toContain("runs closed");
    expect(first.lines.at(-1)).toContain('"stopped"');
    expect(first.lines.join("\n")).not.toContain("cut off");
    expect(await counted(importId)).toBeLessThan(plan.target * plan.partitions);
    await start("stopped", plan, first.port);
    await expectAllCounted(importId, plan);
    // One more generation than without the hand-over.
    const { rows } = await fixture.db.pool.query(
      "select generation, epoch from partitions where import_id = $1 group by 1, 2",
      [importId],
    );
    expect(rows).toEqual([{ generation: 2, epoch: 2 }]);
  });

  test("when another release is deployed: nothing stops, the old one drains and Restate's list drops it", async () => {
    const admin = createAdmin(fixture.restate.adminUrl);
    const plan = { ...long, target: 600 };
    const old = await start("old", plan);
    const importId = await givenRun();
    await until("it has begun", async () => (await counted(importId)) > 20);
    await start("new", plan);
    old.kill("SIGTERM");
    expect(await old.exited).toEqual({ code: 0, signal: null });
    await expectAllCounted(importId, plan);
    expect(await counted(importId, "old")).toBeGreaterThan(20);
    expect(await counted(importId, "new")).toBeGreaterThan(20);
    // The longest pause between two pages is shorter than the lease: no page waited for a lease to expire.
    const { rows } = await fixture.db.pool.query<{ gap: number }>(
      `select extract(epoch from max(gap))::float8 as gap from (select c.at - lag(c.at) over (partition by c.no order by c.at) as gap
         from counted c join runs r on r.id = c.run_id where r.import_id = $1) gaps`,
      [importId],
    );
    expect(rows[0]?.gap).toBeLessThan(10);
    await until("the old release is gone", async () =>
      (await admin.list()).every(({ uri }) => !uri.endsWith("/old")),
    );
    expect((await admin.current())?.uri).toMatch(/\/new$/);
  });
});

describe("two processes of one worker", () => {
  const two = { WORKER_PROCESSES: "2" };
  // Four calls share a connection, and the processes take connections in turn: so each gets some of many.
  const plan: Counting = { ...long, partitions: 16, pagesPerChunk: 1_000, pageMs: 100, target: 80 };
  const workersOf = async (importId: string) => {
    const { rows } = await fixture.db.pool.query<{ worker: string }>(
      `select worker from counted c join runs r on r.id = c.run_id where r.import_id = $1
       group by 1 having count(distinct no) >= 2 order by 1`,
      [importId],
    );
    return rows.map(({ worker }) => Number(worker.split(" ")[1]));
  };

  test("share a run's partitions; on SIGTERM both hand over at their next page, and the worker ends with them", async () => {
    const worker = await start("shared", plan, undefined, two);
    const importId = await givenRun();
    await until("both work", async () => (await workersOf(importId)).length === 2);
    worker.kill("SIGTERM");
    expect(await worker.exited).toEqual({ code: 0, signal: null });
    expect(worker.lines.filter((line) => line === "runs closed")).toHaveLength(2);
    expect(worker.lines.join("\n")).not.toContain("cut off");
    expect(await counted(importId)).toBeLessThan(plan.target * plan.partitions);
    await start("shared", plan, worker.port, two);
    await expectAllCounted(importId, plan);
  });
});

describe("the worker as it is shipped", () => {
  test("starts, registers the release of its files, becomes ready, and stops", async () => {
    const worker = await startWorkerProcess({ env });
    onTestFinished(() => worker.kill("SIGKILL"));
    const admin = createAdmin(fixture.restate.adminUrl);
    const current = await admin.current();
    // So that the doctor can tell it from a worker of another installation.
    expect(await admin.reach(current?.uri ?? "")).toEqual({
      kind: "answers",
      publicUrl: "http://portage.test",
    });
    expect(current?.uri).toBe(`http://127.0.0.1:${worker.port}/${readRelease()}`);
    expect((await fetch(`${worker.healthUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${worker.healthUrl}/elsewhere`)).status).toBe(404);
    worker.kill("SIGTERM");
    expect(await worker.exited).toEqual({ code: 0, signal: null });
  });

  test("is alive but not ready without Restate", async () => {
    const worker = await spawnWorker({ env: { ...env, RESTATE_ADMIN_URL: "http://127.0.0.1:1" } });
    onTestFinished(() => worker.kill("SIGKILL"));
    await until(
      "it lives",
      async () => (await fetch(`${worker.healthUrl}/healthz`).catch(() => null))?.ok === true,
    );
    expect((await fetch(`${worker.healthUrl}/readyz`)).status).toBe(503);
    worker.kill("SIGTERM");
    expect(await worker.exited).toEqual({ code: 0, signal: null });
  });

  test("requires WORKER_URL when it listens on all interfaces", async () => {
    const worker = await spawnWorker({ env: { ...env, WORKER_HOST: "0.0.0.0" } });
    expect(await worker.exited).toEqual({ code: 1, signal: null });
    expect(worker.lines.join("\n")).toContain("WORKER_URL is missing");
  });
});
