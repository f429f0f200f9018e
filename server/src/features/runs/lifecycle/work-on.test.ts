import { expect, test, vi } from "vitest";
import type { ChunkEnd, ChunkRef, ChunkToSend, Task } from "../run.ts";
import { createWorkOn } from "./work-on.ts";

const first: ChunkRef = { runId: "run_1", partition: 0, generation: 1 };
const begins = (partition: number, task: Task, stream = `stream ${partition}`): ChunkToSend => ({
  runId: "run_1",
  partition,
  generation: 1,
  delayMs: 0,
  begins: { task, stream },
});
const { signal } = new AbortController();
const nowhere = async () => {};

/** A run by what the end of each partition sends. */
const runOf = (sends: Readonly<Record<number, readonly ChunkToSend[]>>, each: Partial<ChunkEnd> = {}) => {
  const worked: number[] = [];
  const workOn = createWorkOn(async ({ partition }) => {
    worked.push(partition);
    return { read: 1, written: 0, ...each, send: sends[partition] ?? [] };
  });
  return { worked, workOn };
};
const numbers = ({ send }: ChunkEnd) => send.map(({ partition }) => partition);

test("a chunk goes on with the steps that follow, and sums up what it did", async () => {
  const { worked, workOn } = runOf({ 0: [begins(1, "copy")], 1: [begins(2, "copy")] });
  expect(await workOn(first, { signal })).toEqual({ send: [], read: 3, written: 0 });
  expect(worked).toEqual([0, 1, 2]);
});

test("what is handed over, put off or split into parts goes to the engine", async () => {
  const handed = { ...first, generation: 2, delayMs: 0 };
  const parts = [begins(1, "copy", "tickets"), begins(2, "copy", "tickets")];
  for (const send of [[handed], [{ ...handed, delayMs: 500 }], parts]) {
    const { worked, workOn } = runOf({ 0: send });
    expect((await workOn(first, { signal, send: nowhere })).send).toEqual(send);
    expect(worked).toEqual([0]);
  }
});

test("the partitions of a step are worked on one after another if they are small", async () => {
  const step = [begins(1, "link"), begins(2, "link"), begins(3, "link")];
  const small = runOf({ 0: step, 3: [begins(4, "verify")] });
  expect(numbers(await small.workOn(first, { signal, send: nowhere }))).toEqual([]);
  expect(small.worked).toEqual([0, 1, 2, 3, 4]);
  const large = runOf({ 0: step }, { read: 600 });
  expect(numbers(await large.workOn(first, { signal, send: nowhere }))).toEqual([2, 3]);
  const alone = runOf({ 0: step });
  expect(numbers(await alone.workOn(first, { signal }))).toEqual([1, 2, 3]);
});

test("a worker that drains goes on with nothing", async () => {
  const { worked, workOn } = runOf({ 0: [begins(1, "copy")] });
  expect(numbers(await workOn(first, { signal: AbortSignal.abort() }))).toEqual([1]);
  expect(worked).toEqual([0]);
});

test("a slow partition keeps others of its step waiting for moments only", async () => {
  vi.useFakeTimers();
  for (const isUp of [true, false]) {
    const sent: ChunkToSend[] = [];
    const workOn = createWorkOn(async ({ partition }) => {
      if (partition === 1) await new Promise((done) => setTimeout(done, 60_000));
      const send = partition === 0 ? [begins(1, "verify"), begins(2, "verify"), begins(3, "verify")] : [];
      return { send, read: 0, written: 0 };
    });
    const working = workOn(first, {
      signal,
      send: async (chunks) => {
        if (!isUp) throw new Error("The engine does not answer.");
        sent.push(...chunks);
      },
    });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(sent.map(({ partition }) => partition)).toEqual(isUp ? [2, 3] : []);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(numbers(await working)).toEqual(isUp ? [] : [2, 3]);
  }
  vi.useRealTimers();
});
