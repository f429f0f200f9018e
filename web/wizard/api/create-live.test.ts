import type { WizardProgress } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { createLive, type EventStream, type Liveness } from "./create-live.ts";
import type { Outcome } from "../../client/problem.ts";

const progress = (done: number) => ({ items: { tickets: done } }) as unknown as WizardProgress;

class FakeStream implements EventStream {
  readyState = 1;
  readonly listeners = new Map<string, (event: { data?: unknown }) => void>();
  addEventListener(type: string, listener: (event: { data?: unknown }) => void) {
    this.listeners.set(type, listener);
  }
  close() {
    this.readyState = 2;
  }
  tell(type: string, data?: unknown) {
    this.listeners.get(type)?.({ data: data === undefined ? undefined : JSON.stringify(data) });
  }
}

const begin = () => {
  const streams: FakeStream[] = [];
  const heard: number[] = [];
  const reported: Liveness[] = [];
  const state = {
    now: 1_000_000,
    asked: 0,
    ended: 0,
    answer: { kind: "offline" } as Outcome<WizardProgress>,
  };
  const live = createLive({
    openStream: () => {
      const stream = new FakeStream();
      streams.push(stream);
      return stream;
    },
    ask: async () => {
      state.asked += 1;
      return state.answer;
    },
    now: () => state.now,
    onProgress: ({ items }) => heard.push(items["tickets"] ?? -1),
    onLiveness: (liveness) => reported.push(liveness),
    onEnded: () => {
      state.ended += 1;
    },
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      state.now += 1_000;
      live.tick();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  live.tick();
  return { live, streams, heard, reported, state, pass };
};

test("does not poll while the stream sends events", async () => {
  const { streams, heard, reported, state, pass } = begin();
  for (let done = 1; done <= 5; done += 1) {
    streams[0]?.tell("progress", progress(done));
    await pass(4_000);
  }
  expect([heard, reported, state.asked, streams.length]).toEqual([[1, 2, 3, 4, 5], [{ kind: "live" }], 0, 1]);
});

test("polls when the stream is silent; without an answer it reports since when the page is stale", async () => {
  const { streams, reported, state, pass } = begin();
  streams[0]?.tell("progress", progress(1));
  const heardAt = new Date(state.now);
  await pass(30_000);
  expect(reported).toEqual([{ kind: "live" }, { kind: "stale", since: heardAt }]);
  state.answer = { kind: "ok", value: progress(2) };
  await pass(6_000);
  expect(reported.at(-1)).toEqual({ kind: "live" });
});

test("retries a refused stream with backoff, and polls meanwhile", async () => {
  const { streams, heard, state, pass } = begin();
  state.answer = { kind: "ok", value: progress(3) };
  const refuse = () => {
    const stream = streams.at(-1);
    if (!stream || stream.readyState === 2) return;
    stream.close();
    stream.tell("error");
  };
  for (let second = 0; second < 120; second += 1) {
    refuse();
    await pass(1_000);
  }
  expect(streams.length).toBeGreaterThan(3);
  expect(streams.length).toBeLessThan(10);
  expect(heard.length).toBeGreaterThan(15);
});

test("a page polls immediately when it wakes up", async () => {
  const { live, streams, state } = begin();
  streams[0]?.tell("progress", progress(1));
  state.now += 3_600_000;
  live.tick();
  expect(state.asked).toBe(1);
});

test.each([["closed"], ["expired"], ["gone"]])("%s: it stops and calls onEnded once", async (how) => {
  const { streams, state, pass } = begin();
  if (how === "closed") streams[0]?.tell("closed", {});
  else state.answer = how === "gone" ? { kind: "gone", message: "" } : { kind: "expired" };
  await pass(60_000);
  expect([state.ended, streams.at(-1)?.readyState, streams.length]).toEqual([1, 2, 1]);
});
