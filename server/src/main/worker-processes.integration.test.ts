import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/support/engine-fixture.ts";
import { spawnWorker } from "../../../test/support/worker-process.ts";

const start = async (more: Readonly<Record<string, string>> = {}) => {
  const worker = await spawnWorker({
    program: "test/support/light-worker.ts",
    env: { WORKER_PROCESSES: "2", ...more },
  });
  onTestFinished(() => worker.kill("SIGKILL"));
  const asks = (path: string) => fetch(`${worker.healthUrl}${path}`).catch(() => null);
  const isReady = async () => (await asks("/readyz"))?.ok === true;
  /** Which processes answer at the shared port. */
  const answering = async () => {
    const pids = new Set<number>();
    for (let call = 0; call < 6; call += 1) pids.add(Number(await (await fetch(worker.url)).text()));
    return [...pids];
  };
  const linesOf = (word: string) => worker.lines.filter((line) => line.startsWith(word));
  return { worker, asks, isReady, answering, linesOf };
};

test("two processes take the connections of one port in turn, are ready together, and drain together", async () => {
  const { worker, asks, isReady, answering, linesOf } = await start();
  await until("both are ready", isReady);
  expect(await answering()).toHaveLength(2);
  worker.kill("SIGTERM");
  await until("both drain", async () => linesOf("draining").length === 2);
  expect((await asks("/readyz"))?.status).toBe(503);
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(linesOf("drained")).toHaveLength(2);
});

test("a process that ends is replaced: meanwhile the worker lives, works and is not ready", async () => {
  const { asks, isReady, answering } = await start();
  await until("both are ready", isReady);
  const [first = 0, second = 0] = await answering();
  process.kill(first, "SIGKILL");
  await until("it is not ready", async () => !(await isReady()));
  expect((await asks("/healthz"))?.status).toBe(200);
  await until("it is ready again", isReady);
  const now = await answering();
  expect(now).toHaveLength(2);
  expect(now).toContain(second);
  expect(now).not.toContain(first);
});

test("a process that hangs makes the worker fail the check that restarts it", async () => {
  const { asks, isReady, answering } = await start();
  await until("both are ready", isReady);
  const [first = 0] = await answering();
  process.kill(first, "SIGSTOP");
  expect((await asks("/healthz"))?.status).toBe(503);
  process.kill(first, "SIGCONT");
});

test("a signal to all processes, as a terminal sends it, is one drain", async () => {
  const { worker, isReady, answering, linesOf } = await start();
  await until("both are ready", isReady);
  for (const pid of await answering()) process.kill(pid, "SIGINT");
  worker.kill("SIGINT");
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(linesOf("drained")).toHaveLength(2);
});

test("a signal that comes after the supervisor's word does not cut the drain off", async () => {
  const { worker, isReady, answering, linesOf } = await start();
  await until("both are ready", isReady);
  const pids = await answering();
  worker.kill("SIGTERM");
  await until("both drain", async () => linesOf("draining").length === 2);
  for (const pid of pids) process.kill(pid, "SIGTERM");
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  expect(linesOf("drained")).toHaveLength(2);
});

test("processes that can't start end the worker, with their reason", async () => {
  const { worker } = await start({ FAIL: "yes" });
  expect(await worker.exited).toEqual({ code: 1, signal: null });
  expect(worker.lines.join("\n")).toContain("It can't start.");
});
