import { setTimeout as sleep } from "node:timers/promises";
import type { Readable } from "node:stream";
import { afterEach, describe, expect, test } from "vitest";
import { createLog } from "../../../platform/log.ts";
import { createProgressFeed, type FeedNeeds, type FeedState, type ProgressFeed } from "./progress-feed.ts";

const open: ProgressFeed[] = [];
afterEach(() => {
  for (const feed of open.splice(0)) feed.close();
});

const state = (text: string, given: Partial<FeedState> = {}): FeedState => ({
  text,
  closed: false,
  linkMark: "a",
  ...given,
});

const who = (importId: string, session: string | null = null) => ({ importId, linkMark: "a", session });

/** A feed over states that a test sets; it records its queries. */
const given = (options: Partial<FeedNeeds> = {}) => {
  const states = new Map<string, FeedState>([
    ["one", state("1")],
    ["two", state("1")],
  ]);
  const asked: (readonly string[])[] = [];
  const lines: string[] = [];
  const feed = createProgressFeed({
    read: async (ids) => {
      asked.push(ids);
      return states;
    },
    liveSessions: async (hashes) => new Set(hashes),
    log: createLog("info", { write: (line) => void lines.push(line) }),
    everyMs: 20,
    ...options,
  });
  open.push(feed);
  const listen = (id: string, session: string | null = null) => {
    const stream = feed.listen(who(id, session));
    if (!stream) throw new Error("The feed is full.");
    return heard(stream);
  };
  return { states, asked, lines, feed, listen };
};

const heard = (stream: Readable) => {
  const got = { text: "", ended: false, stream };
  stream.on("data", (chunk: Buffer) => (got.text += chunk.toString()));
  stream.on("end", () => (got.ended = true));
  return got;
};

const until = async (what: () => boolean) => {
  for (let tries = 0; !what() && tries < 3_000; tries += 1) await sleep(10);
  expect(what()).toBe(true);
};

describe("a listener", () => {
  test("gets the whole state first, then only changes", async () => {
    const { states, asked, listen } = given();
    const one = listen("one");
    await until(() => one.text.includes("data: 1"));
    expect(one.text).toBe("retry: 2000\n\nevent: progress\ndata: 1\n\n");
    const before = asked.length;
    await until(() => asked.length > before + 3);
    expect(one.text).toBe("retry: 2000\n\nevent: progress\ndata: 1\n\n");
    states.set("one", state("2"));
    await until(() => one.text.endsWith("event: progress\ndata: 2\n\n"));
  });

  test("gets heartbeats, but none while the state can't be read", async () => {
    let broken = false;
    const { lines, listen, asked } = given({
      heartbeatMs: 30,
      read: async () => {
        if (broken) throw new Error("no database");
        return new Map([["one", state("1")]]);
      },
    });
    const one = listen("one");
    await until(() => one.text.includes(": still here\n\n"));
    broken = true;
    await until(() => lines.some((line) => line.includes("progress not read")));
    const before = one.text;
    await sleep(100);
    expect(one.text).toBe(before);
    broken = false;
    await until(() => one.text.length > before.length);
    expect(one.ended).toBe(false);
    expect(asked).toEqual([]);
  });

  test("gets a closed event when the import closes, and the stream ends", async () => {
    const { states, listen, feed } = given();
    const one = listen("one");
    const gone = listen("gone");
    await until(() => one.text.includes("data: 1") && gone.ended);
    states.set("one", state("1", { closed: true }));
    await until(() => one.ended);
    expect(one.text).toMatch(/event: closed\ndata: \{\}\n\n$/);
    expect(feed.listeners()).toBe(0);
  });

  test("must reconnect after its link is replaced or the stream reaches its maximum age", async () => {
    const { states, listen } = given();
    const one = listen("one");
    await until(() => one.text.includes("data: 1"));
    states.set("one", state("2", { linkMark: "b" }));
    await until(() => one.ended);
    expect(one.text).not.toContain("data: 2");
    const other = given({ longestMs: 300 });
    const long = other.listen("one");
    await until(() => long.ended);
    expect(long.text).toContain("data: 1");
  });

  test("gets nothing if its link is replaced before the first poll", async () => {
    const { states, listen } = given();
    states.set("one", state("1", { linkMark: "b" }));
    const one = listen("one");
    await until(() => one.ended);
    expect(one.text).not.toContain("data");
  });

  test("ends with its session, others of the import continue, and a poll checks each session once", async () => {
    const live = new Set(["s1", "s2"]);
    const hashes: (readonly string[])[] = [];
    const { listen } = given({
      liveSessions: async (asked) => {
        hashes.push(asked);
        return live;
      },
    });
    const one = listen("one", "s1");
    const again = listen("one", "s1");
    const two = listen("one", "s2");
    const byToken = listen("one");
    await until(() => [one, again, two, byToken].every(({ text }) => text.includes("data: 1")));
    expect(hashes[0]).toEqual(["s1", "s2"]);
    live.delete("s1");
    await until(() => one.ended && again.ended);
    expect([two.ended, byToken.ended]).toEqual([false, false]);
  });

  test("that reads slowly gets the newest state, not every state", async () => {
    const { states, feed, asked } = given();
    const stream = feed.listen(who("one"));
    if (!stream) throw new Error("The feed is full.");
    for (let n = 2; n < 8; n += 1) {
      states.set("one", state(String(n)));
      const before = asked.length;
      await until(() => asked.length > before + 1);
    }
    const slow = heard(stream);
    await until(() => slow.text.includes("data: 7"));
    expect(slow.text.match(/event: progress/g)?.length).toBeLessThanOrEqual(2);
  });
});

describe("the poller", () => {
  test("reads all imports in one query, each once, and pauses without listeners", async () => {
    const { asked, listen, feed } = given({ everyMs: 40 });
    expect(asked).toEqual([]);
    const all = [listen("one"), listen("one"), listen("two")];
    await until(() => all.every(({ text }) => text.includes("data: 1")));
    expect(asked[0]).toEqual(["one", "two"]);
    const from = asked.length;
    const startedAt = performance.now();
    await sleep(400);
    const turns = (performance.now() - startedAt) / 40;
    expect(asked.length - from).toBeLessThanOrEqual(Math.ceil(turns) + 1);
    for (const { stream } of all) stream.destroy();
    await until(() => feed.listeners() === 0);
    await sleep(60);
    const resting = asked.length;
    await sleep(150);
    expect(asked.length).toBe(resting);
    const again = listen("one");
    await until(() => again.text.includes("data: 1"));
  });

  test("is not delayed by a steady flow of new listeners", async () => {
    const { asked, listen, feed } = given({ everyMs: 10_000, maxListeners: 1_000, maxPerImport: 1_000 });
    const first = listen("one");
    for (let n = 0; n < 30; n += 1) {
      listen("two");
      await sleep(10);
    }
    expect(first.text).toContain("data: 1");
    // One poll serves the listeners that arrive together.
    expect(asked.length).toBeLessThan(8);
    expect(feed.listeners()).toBe(31);
  });
});

test("limits the number of listeners, in total and per import", () => {
  const { feed } = given({ maxListeners: 3, maxPerImport: 2 });
  expect([feed.listen(who("one")), feed.listen(who("one"))].every(Boolean)).toBe(true);
  expect(feed.listen(who("one"))).toBeUndefined();
  expect(feed.listen(who("two"))).toBeDefined();
  expect(feed.listen(who("three"))).toBeUndefined();
  expect(feed.listeners()).toBe(3);
});

test("closing ends every stream at once, and later listeners get a retry delay", async () => {
  const { feed, listen } = given();
  const one = listen("one");
  const two = listen("two");
  await until(() => one.text.includes("data"));
  feed.close();
  await until(() => one.ended && two.ended);
  const late = listen("one");
  await until(() => late.ended);
  expect(late.text).toBe("retry: 2000\n\n");
  expect(feed.listeners()).toBe(0);
});
