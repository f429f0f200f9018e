import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { startApiProcess } from "../../../../../test/support/api-process.ts";
import { createTestDatabase } from "../../../../../test/support/database.ts";
import { readEventStream, type StreamEvent } from "../../../../../test/support/event-stream.ts";
import { givenPartner, testRegistry } from "../../../../../test/support/fixtures.ts";
import { useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { createImport, reissueLink } from "../../../features/imports/index.ts";
import { createSealer } from "../../../platform/seal.ts";

const wizard = useRunWizard({ everyMs: 100, maxPerImport: 3 });
const counts = {
  users: 0,
  tickets: 120,
  comments: 0,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};

interface ProgressData {
  readonly status: { readonly code: string };
  readonly items: Record<string, number>;
  readonly progress: { readonly done: number; readonly total: number; readonly state: string } | null;
}
const dataOf = ({ data }: StreamEvent) => data as ProgressData;

/** How often the feed queried the imports. */
const countPolls = () => {
  const spy = vi.spyOn(wizard.runs.db.pool, "query");
  return () => {
    const polls = spy.mock.calls.filter(
      ([query]) => (query as unknown as { name?: string }).name === "read-standings",
    );
    spy.mockRestore();
    return polls;
  };
};

describe("GET progress/stream", () => {
  test("two pages of one move and one of another see it live, from one shared query", async () => {
    const one = await wizard.begin({ source: { counts, latencyMs: 20 }, destination: { latencyMs: 20 } });
    const other = await wizard.begin({ source: { counts } });
    const leave = new AbortController();
    const pages = await Promise.all(
      [one, one, other].map(async (each) => {
        const answer = await each.open("/progress/stream", leave.signal);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
        expect(answer.headers.get("cache-control")).toBe("no-store");
        return readEventStream(answer);
      }),
    );
    await Promise.all(pages.map(async (page) => page.events[0] ?? page.next()));
    expect(pages.map(({ events }) => events[0] && dataOf(events[0]).progress)).toEqual([null, null, null]);
    expect(pages.every(({ remarks }) => remarks[0] === "retry: 2000")).toBe(true);

    const polls = countPolls();
    const startedAt = performance.now();
    await one.run({ type: "full_started" });
    while (
      pages
        .slice(0, 2)
        .some(({ events }) => dataOf(events.at(-1) as StreamEvent).status.code !== "migration_completed")
    )
      await sleep(20);
    const asked = polls();
    const turns = (performance.now() - startedAt) / 100;
    expect(asked.length).toBeLessThanOrEqual(turns + 2);
    for (const [query] of asked)
      expect((query as unknown as { values: [string[]] }).values[0].toSorted()).toEqual(
        [one.importId, other.importId].toSorted(),
      );

    for (const { events } of pages.slice(0, 2)) {
      const seen = events.map(dataOf);
      expect(seen.length).toBeGreaterThan(4);
      for (const [index, { progress }] of seen.entries()) {
        const before = seen[index - 1]?.progress;
        if (progress && before) expect(progress.done).toBeGreaterThanOrEqual(before.done);
        // The feed sends only changes.
        if (index > 0) expect(seen[index]).not.toEqual(seen[index - 1]);
      }
      expect(seen.at(-1)).toMatchObject({ items: { tickets: 120 }, progress: null });
    }
    expect(pages[2]?.events.length).toBe(1);
    leave.abort();
    await Promise.allSettled(pages.map(({ ended }) => ended));
  });

  test("a client that reconnects gets the whole state first", async () => {
    const one = await wizard.begin({ source: { counts: { ...counts, tickets: 5 } } });
    await one.run({ type: "full_started" });
    for (let times = 0; times < 2; times += 1) {
      const leave = new AbortController();
      const page = readEventStream(await one.open("/progress/stream", leave.signal));
      expect(dataOf(page.events[0] ?? (await page.next()))).toMatchObject({
        status: { code: "migration_completed" },
        items: { tickets: 5 },
        progress: null,
      });
      leave.abort();
      await page.ended.catch(() => {});
    }
  });

  test("ends when the import is closed, and when the link is replaced", async () => {
    const closing = await wizard.begin({ source: { counts } });
    const replaced = await wizard.begin({ source: { counts } });
    const first = readEventStream(await closing.open("/progress/stream"));
    const second = readEventStream(await replaced.open("/progress/stream"));
    await Promise.all([first, second].map(async (page) => page.events[0] ?? page.next()));
    await closing.move({ type: "cancelled" });
    await first.ended;
    expect(first.events.at(-1)?.event).toBe("closed");
    await reissueLink(wizard.runs.db, wizard.runs.sealer, replaced.importId);
    await second.ended;
    expect((await replaced.open("/progress/stream")).status).toBe(401);
  });

  test("503 with Retry-After for one page too many; GET progress still works", async () => {
    const one = await wizard.begin({ source: { counts } });
    const leave = new AbortController();
    const pages = await Promise.all([1, 2, 3].map(() => one.open("/progress/stream", leave.signal)));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await one.open("/progress/stream");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await one.ask("GET", "/progress")).status).toBe(200);
    leave.abort();
    await Promise.allSettled(pages.map((page) => page.text()));
    // Closing a page frees its slot.
    for (;;) {
      const again = await one.open("/progress/stream", AbortSignal.timeout(1_000)).catch(() => undefined);
      await again?.body?.cancel();
      if (again?.status === 200) break;
      await sleep(50);
    }
  });

  test("HEAD leaves nothing behind", async () => {
    const one = await wizard.begin({ source: { counts } });
    for (let times = 0; times < 10; times += 1)
      expect((await one.ask("HEAD", "/progress/stream")).status).toBe(200);
  });
});

describe("a process that shuts down", () => {
  const stops: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  test.each([0, 300])("ends its streams at once and exits, %i ms after", async (delayMs) => {
    const db = await createTestDatabase();
    stops.push(() => db.drop());
    const key = randomBytes(32);
    const { partner } = await givenPartner(db);
    const made = await createImport({
      db,
      sealer: createSealer([{ id: "k1", key }]),
      registry: testRegistry(),
      checkDestination: async () => ({ kind: "not_all_given" }),
    })(partner, { source_tool: "request-tracker" });
    if (made.kind !== "created") throw new Error("not created");
    const api = await startApiProcess({
      env: {
        DATABASE_URL: db.url,
        PORTAGE_KEYS: `k1:${key.toString("base64")}`,
        PUBLIC_URL: "http://portage.test",
        SHUTDOWN_DELAY_MS: String(delayMs),
      },
    });
    stops.push(() => api.stop());
    const open = () =>
      fetch(`${api.url}/wizard/api/imports/${made.id}/progress/stream`, {
        headers: { authorization: `Bearer ${made.linkToken.reveal()}` },
      });
    const pages = [readEventStream(await open()), readEventStream(await open())];
    await Promise.all(pages.map(async (page) => page.events[0] ?? page.next()));
    api.kill("SIGTERM");
    // The stream ended normally, it did not break off.
    await Promise.all(pages.map(({ ended }) => ended));
    // A client that connects during the drain gets a retry delay and does not block the shutdown either.
    const late = await open().catch(() => undefined);
    if (late) expect(await late.text()).toBe("retry: 2000\n\n");
    expect((await api.exited).code).toBe(0);
    expect(api.lines.at(-1)).toContain('"stopped"');
  });
});
