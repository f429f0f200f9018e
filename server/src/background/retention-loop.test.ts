import { expect, test, vi } from "vitest";
import { createLog } from "../platform/log.ts";
import { startRetentionLoop } from "./retention-loop.ts";

test("checks periodically, also after a failure, and not right after the start", async () => {
  let asked = 0;
  const log = createLog("silent");
  const failed = vi.spyOn(log, "error");
  const info = vi.spyOn(log, "info");
  const loop = startRetentionLoop({
    retention: async () => {
      asked += 1;
      if (asked === 1) throw new Error("no");
      return asked === 2;
    },
    log,
    firstMs: 50,
    everyMs: 5,
  });
  expect(asked).toBe(0);
  await vi.waitUntil(() => asked > 2, { timeout: 600_000 });
  await loop.stop();
  expect(failed).toHaveBeenCalledTimes(1);
  expect(info.mock.calls).toEqual([["retention done"]]);
});
