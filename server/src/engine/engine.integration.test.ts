import { readFileSync, globSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { givenEffect, givenImport } from "../../../test/support/counting-import.ts";
import { counting, createCountingRuns } from "../../../test/support/counting-runs.ts";
import {
  createEngineFixture,
  type EngineFixture,
  type InProcessWorker,
  miscounted,
  until,
  untilCounted,
} from "../../../test/support/engine-fixture.ts";
import { newId } from "../platform/ids.ts";
import { createIngress, type Ingress } from "./ingress.ts";
import type { RunsPort } from "./runs-port.ts";

let fixture: EngineFixture;
let worker: InProcessWorker;
let ingress: Ingress;
/** Overrides of a test for its own import. */
let inTheWay: Partial<RunsPort> = {};

beforeAll(async () => {
  fixture = await createEngineFixture();
  const runs = createCountingRuns(fixture.db, "r1", counting);
  const asked = <K extends keyof RunsPort>(name: K) =>
    ((...args: never[]) =>
      ((inTheWay[name] ?? runs[name]) as (...all: never[]) => unknown)(...args)) as RunsPort[K];
  worker = await fixture.startWorker({
    workChunk: asked("workChunk"),
    startRun: asked("startRun"),
    stopRun: asked("stopRun"),
    resumeWaiting: async () => [],
    pauseRun: async () => [],
    unpauseRun: async () => [],
    startAfterPreflight: asked("startAfterPreflight"),
    findOverdue: asked("findOverdue"),
    endOverlongWaits: asked("endOverlongWaits"),
  });
  ingress = createIngress(fixture.restate.ingressUrl);
});
afterAll(async () => {
  await ingress.close();
  await fixture.remove();
});

const started = async () => {
  const importId = await givenImport(fixture.db);
  const outboxId = await givenEffect(fixture.db, importId, { kind: "start_run", run: "sample" });
  return { importId, outboxId };
};
const attempts = async (importId: string) => {
  const { rows } = await fixture.db.pool.query<{ no: number; generation: number; epoch: number; at: Date }>(
    "select a.* from attempts a join runs r on r.id = a.run_id where r.import_id = $1 order by a.no, a.at",
    [importId],
  );
  return rows;
};
const runOf = async (importId: string) => {
  const { rows } = await fixture.db.pool.query<{ id: string }>("select id from runs where import_id = $1", [
    importId,
  ]);
  return rows[0]?.id ?? "";
};
const invocations = (runId: string) =>
  fixture.restate.query<{ key: string; status: string; failure?: string }>(
    `select idempotency_key as key, status, completion_failure as failure from sys_invocation where idempotency_key like '${runId}:%'`,
  );
const isDispatched = async (id: number) => {
  const { rows } = await fixture.db.pool.query(
    "select from outbox where id = $1 and dispatched_at is not null",
    [id],
  );
  return rows.length === 1;
};

describe("a run", () => {
  test("starts from the outbox and proceeds chunk by chunk: every page once, every generation once", async () => {
    const { importId, outboxId } = await started();
    await untilCounted(fixture.db, importId);
    expect(await miscounted(fixture.db, importId, counting)).toEqual([]);
    expect(await isDispatched(outboxId)).toBe(true);
    const all = await attempts(importId);
    const chunks = Math.ceil(counting.target / counting.pagesPerChunk);
    expect(all.map(({ no, generation, epoch }) => [no, generation, epoch])).toEqual(
      [1, 2].flatMap((no) => Array.from({ length: chunks }, (_, index) => [no, index + 1, index + 1])),
    );
    const runId = await runOf(importId);
    const known = await invocations(runId);
    expect(known.map(({ key }) => key).toSorted()).toEqual(
      all.map(({ no, generation }) => `${runId}:${no}:${generation}`).toSorted(),
    );
  });

  test("leaves no journal in Restate once its chunks have ended", async () => {
    const { importId } = await started();
    await untilCounted(fixture.db, importId);
    const runId = await runOf(importId);
    await until("all invocations have ended", async () =>
      (await invocations(runId)).every(({ status }) => status === "completed"),
    );
    const journal = await fixture.restate.query(
      `select j.id from sys_journal j join sys_invocation i on i.id = j.id where i.idempotency_key like '${runId}:%'`,
    );
    expect(journal).toEqual([]);
  });

  test("stops from the outbox, in the order of its effects", async () => {
    const { importId } = await started();
    const stop = await givenEffect(fixture.db, importId, { kind: "stop_run" });
    await until("the stop is dispatched", () => isDispatched(stop));
    const { rows } = await fixture.db.pool.query(
      "select distinct p.state as part, r.state as run from partitions p join runs r on r.id = p.run_id where r.import_id = $1",
      [importId],
    );
    expect(rows).toEqual([{ part: "stopped", run: "stopped" }]);
  });

  test("that waits for its pre-flight starts from the outbox", async () => {
    const importId = await givenImport(fixture.db);
    const reported: string[] = [];
    inTheWay = {
      startAfterPreflight: async (of) => {
        reported.push(of.importId);
        return [];
      },
    };
    const id = await givenEffect(fixture.db, importId, { kind: "start_after_preflight" });
    await until("it is dispatched", () => isDispatched(id));
    inTheWay = {};
    expect(reported).toEqual([importId]);
  });
});

describe("a chunk", () => {
  test("sent twice, concurrently and later, runs once", async () => {
    const { importId } = await started();
    await untilCounted(fixture.db, importId);
    const chunk = { runId: await runOf(importId), partition: 1, generation: 900, delayMs: 0 };
    let worked = 0;
    inTheWay = {
      workChunk: async () => {
        worked++;
        return { send: [], read: 0, written: 0 };
      },
    };
    await ingress.send([chunk, chunk]);
    await until("it was worked on", async () => worked > 0);
    await ingress.send([chunk]);
    const last = { ...chunk, generation: 901 };
    await ingress.send([last]);
    await until("the next was worked on", async () => worked > 1);
    inTheWay = {};
    expect(worked).toBe(2);
  });

  test("waits for its delay, both from the ingress and after a hand-over", async () => {
    const runId = newId("run");
    const at: number[] = [];
    inTheWay = {
      workChunk: async ({ generation }) => {
        at.push(performance.now());
        const send = [{ runId, partition: 1, generation: generation + 1, delayMs: 700 }];
        return { send: at.length < 3 ? send : [], read: 0, written: 0 };
      },
    };
    const sentAt = performance.now();
    await ingress.send([{ runId, partition: 1, generation: 1, delayMs: 500 }]);
    await until("all three", async () => at.length === 3);
    inTheWay = {};
    const gaps = at.map((time, index) => time - (at[index - 1] ?? sentAt));
    expect(gaps[0]).toBeGreaterThanOrEqual(495);
    expect(gaps[1]).toBeGreaterThanOrEqual(695);
    expect(gaps[2]).toBeGreaterThanOrEqual(695);
  });

  test("that fails is retried a few times and ends; the sweep's next generation succeeds", async () => {
    const { importId } = await started();
    let failures = 0;
    const real = createCountingRuns(fixture.db, "r1", counting);
    inTheWay = {
      workChunk: (ref, needs) => {
        if (ref.partition !== 1 || ref.generation > 1) return real.workChunk(ref, needs);
        failures++;
        throw Object.assign(new Error("mail of ann@customer.example"), { code: "E_TOOL" });
      },
    };
    await untilCounted(fixture.db, importId);
    const runId = await runOf(importId);
    const failedOnes = async () => (await invocations(runId)).filter(({ failure }) => failure !== undefined);
    await until("it has ended", async () => (await failedOnes()).length > 0);
    const failed = await failedOnes();
    inTheWay = {};
    expect(failures).toBe(4);
    expect(failed).toEqual([
      { key: `${runId}:1:1`, status: "completed", failure: "[500] chunk failed: E_TOOL" },
    ]);
    expect(await miscounted(fixture.db, importId, counting)).toEqual([]);
  });

  test("sends Restate ids and counts only: neither its error message nor other data of its result", async () => {
    const runId = newId("run");
    const secret = `ann-${newId("run")}@customer.example`;
    let calls = 0;
    inTheWay = {
      workChunk: async () => {
        calls++;
        if (calls === 1)
          throw Object.assign(new Error(secret), { code: `not a code: ${secret}`, detail: secret });
        const next = { runId, partition: 2, generation: 1, delayMs: 0, note: secret };
        return { send: calls === 2 ? [next] : [], read: 1, written: 1, records: [secret] };
      },
    };
    await ingress.send([{ runId, partition: 1, generation: 1, delayMs: 0 }]);
    await until(
      "it has ended",
      async () => calls === 3 && (await invocations(runId)).every(({ status }) => status === "completed"),
    );
    inTheWay = {};
    const kept = globSync("**/*", { cwd: fixture.restate.folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "latin1"))
      .join("\n");
    // The search works on Restate's files: it finds what Restate does store.
    expect(kept.includes(runId)).toBe(true);
    expect(kept.includes("chunk failed: unexpected")).toBe(true);
    expect(kept.includes(secret)).toBe(false);
  });

  test("has its own settings, not Restate's defaults: long steps, few retries, short retention", async () => {
    const answer = await fetch(`${fixture.restate.adminUrl}/services/Chunk`);
    expect(await answer.json()).toMatchObject({
      journal_retention: "0s",
      idempotency_retention: "1h",
      inactivity_timeout: "1h",
      abort_timeout: "5m",
      retry_policy: { max_attempts: 15, max_interval: "5s", on_max_attempts: "Kill" },
    });
  });

  test("that is invalid is refused and not retried", async () => {
    const answer = await fetch(`${fixture.restate.ingressUrl}/Chunk/work`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ runId: 7 }),
    });
    expect(answer.status).toBe(400);
  });
});

describe("the dispatcher", () => {
  test("a failing effect delays neither others nor itself forever", async () => {
    const bad = await givenImport(fixture.db);
    const good = await givenImport(fixture.db);
    const real = createCountingRuns(fixture.db, "r1", counting);
    const triedAt: number[] = [];
    inTheWay = {
      startRun: (of) => {
        if (of.importId !== bad) return real.startRun(of);
        triedAt.push(performance.now());
        if (triedAt.length < 3) throw new Error("not today");
        return real.startRun(of);
      },
    };
    const badId = await givenEffect(fixture.db, bad, { kind: "start_run", run: "sample" });
    const goodId = await givenEffect(fixture.db, good, { kind: "start_run", run: "sample" });
    await until("the good one is dispatched", () => isDispatched(goodId));
    expect(await isDispatched(badId)).toBe(false);
    await untilCounted(fixture.db, bad);
    inTheWay = {};
    const [first = 0, second = 0, third = 0, ...more] = triedAt;
    expect(more).toEqual([]);
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(third - second).toBeGreaterThanOrEqual(2_000);
    expect(worker.lines.filter((line) => line.includes(`"outbox":${badId},`))).toHaveLength(2);
  });

  test("a crash between sending and marking repeats the effect, and nothing runs twice", async () => {
    const { importId, outboxId } = await started();
    await until("it is dispatched", () => isDispatched(outboxId));
    await fixture.db.pool.query("update outbox set dispatched_at = null where id = $1", [outboxId]);
    await until("it is dispatched again", () => isDispatched(outboxId));
    await untilCounted(fixture.db, importId);
    expect(await miscounted(fixture.db, importId, counting)).toEqual([]);
    const all = await attempts(importId);
    expect(new Set(all.map(({ no, generation }) => `${no}:${generation}`)).size).toBe(all.length);
  });
});
