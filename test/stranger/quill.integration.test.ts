import type { Cursor } from "@portage/connector-kit";
import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import { quill } from "./connector/index.ts";
import { ticketSource } from "./connector/source.ts";
import { startQuill } from "./quill.ts";

const transport = createPlainTransport();
const tool = await startQuill({ seed: "conformance" });
const narrow = await startQuill({ seed: "budget" });
const slow = await startQuill({ seed: "expiry" });
// The suite reads everything many times over.
tool.allow(1_000_000);
slow.allow(1_000_000);
afterAll(async () => {
  await Promise.all([tool, narrow, slow].map((each) => each.close()));
  await transport.close();
});

const settingsOf = ({ url, key }: typeof tool) => ({ instanceUrl: url, token: key });
const unlimited = { ...quill.manifest, limits: [] };

testConformance("Quill", { describe, test }, async () => ({
  connector: { ...quill, manifest: unlimited },
  settings: settingsOf(tool),
  family: "helpdesk",
  transport,
  pageSize: 10,
  disturb: async (stream, { update, remove }) => {
    if (stream !== "tickets") return;
    for (const id of update) tool.touch(id);
    for (const id of remove) tool.remove(id);
  },
}));

test("the key goes only where Quill expects it", () => {
  expect(tool.leaks).toEqual([]);
});

/** A step of the engine: its limiter knows nothing of the steps before. */
const stepOf = (of: typeof tool) =>
  createTestIo({ manifest: unlimited, settings: settingsOf(of), transport });

const get = (of: typeof tool, path: string) =>
  fetch(`${of.url}/v1/${path}`, { headers: { "quill-key": of.key } });

test("a 420 waits as long as it says: in the step if it is short, else in the engine", async () => {
  narrow.allow(20);
  // Another program of the team spends the budget.
  for (let spent = 0; spent < 20; spent += 1) await get(narrow, "whoami");
  const refused = await get(narrow, "whoami");
  expect(refused.status).toBe(420);
  const { slow_down: seconds } = (await refused.json()) as { slow_down: number };
  expect(seconds).toBeGreaterThan(50);
  const error = await quill.check(stepOf(narrow)).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ recovery: "retry", code: "rate_limited" });
  expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan((seconds - 5) * 1000);

  narrow.later(seconds - 4);
  const { slow_down: left } = (await (await get(narrow, "whoami")).json()) as { slow_down: number };
  const started = Date.now();
  await expect(quill.check(stepOf(narrow))).resolves.toMatchObject({ accountName: "Acme" });
  expect(Date.now() - started).toBeGreaterThan((left - 1) * 1000);

  for (let spent = 0; spent < 20; spent += 1) await get(narrow, "whoami");
  narrow.later(60);
  await expect(quill.check(stepOf(narrow))).resolves.toMatchObject({ accountName: "Acme" });
});

test("a reading that pauses for longer than a `more` works loses no case", async () => {
  const read = async (pause: () => void) => {
    const ids: string[] = [];
    let cursor: Cursor | null = null;
    do {
      // Pages of five: fewer than the cases of one second, so that `more` is needed too.
      const at = { cursor, since: null, parentId: null, size: 5 };
      const page = await ticketSource.readPage(stepOf(slow), at);
      ids.push(...page.records.map(({ id }) => id));
      cursor = page.next;
      pause();
    } while (cursor !== null);
    return ids;
  };
  const { more } = (await (await get(slow, "cases?limit=5")).json()) as { more: string };
  slow.later(700);
  expect((await get(slow, `cases?more=${encodeURIComponent(more)}`)).status).toBe(410);

  const { count } = (await (await get(slow, "cases?count=1")).json()) as { count: number };
  const ids = await read(() => slow.later(700));
  expect(new Set(ids).size).toBe(count);
  expect(ids).toEqual(await read(() => {}));
});
