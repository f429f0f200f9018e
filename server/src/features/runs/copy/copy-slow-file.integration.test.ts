import type { FileBody } from "@portage/connector-kit";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changedFiles } from "../../../../../test/runs/changed-files.ts";
import { createRunsFixture } from "../../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const bytes = 2_000;
/** Together longer than the fixture's lease, and several times its write deadline. */
const pieces = 20;
const pieceMs = 300;

/** The same file, a little at a time. */
const trickling = (file: FileBody): FileBody => ({
  ...file,
  async *open() {
    const all: Uint8Array[] = [];
    for await (const piece of await file.open()) all.push(piece);
    const whole = Buffer.concat(all);
    const size = Math.ceil(whole.length / pieces);
    for (let at = 0; at < whole.length; at += size) {
      await sleep(pieceMs);
      yield whole.subarray(at, at + size);
    }
  },
});

test("a file that takes longer than any deadline is written once, and its writer is not considered lost", async () => {
  const source = await startStandIn({
    counts: { users: 2, tickets: 3, attachments: 2 },
    hostile: false,
    largeText: 0,
    fileBytes: bytes,
  });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const connector = standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" });
  let opened = 0;
  const slow = changedFiles(connector as never, (file) => {
    opened += 1;
    return trickling(file);
  });
  const one = await fixture.begin(
    { connector: slow, tool: source },
    { connector: connector as never, tool: destination },
  );
  const overdue: unknown[] = [];
  const isOver = new AbortController();
  const run = one.run({ type: "full_started" }).finally(() => isOver.abort());
  while (!isOver.signal.aborted) {
    overdue.push(...(await one.runs.findOverdue(100)));
    await sleep(200);
  }
  await run;
  expect(await one.status()).toBe("migration_completed");
  expect(overdue).toEqual([]);
  // Each once for the copy and once for the verification.
  expect(opened).toBe(4);
  expect(destination.stats()).toMatchObject({ written: 7, duplicates: 0 });
  await source.close();
  await destination.close();
});
