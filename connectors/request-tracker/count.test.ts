import type { Transport } from "@portage/connector-kit/http";
import { createTestIo } from "@portage/connector-kit/testing";
import { expect, test } from "vitest";
import { requestTracker } from "./index.ts";
import type { RtSettings } from "./settings.ts";
import { ticketsSource } from "./tickets-source.ts";

const countWhere = (total: number | null) => {
  const transport: Transport = {
    async send(request) {
      const bytes = (async function* () {
        yield Buffer.from(JSON.stringify({ items: [{ id: "1" }], total }));
      })();
      return { status: 200, headers: {}, url: request.url, body: bytes };
    },
  };
  const { manifest } = requestTracker;
  const settings = manifest.settings.parse({ instanceUrl: "https://rt.example", token: "t" });
  return ticketsSource.count?.(createTestIo<RtSettings>({ manifest, settings, transport }));
};

test("a total that Request Tracker leaves out is unknown, not zero", async () => {
  expect(await countWhere(70)).toEqual({ value: 70, exact: true });
  expect(await countWhere(null)).toBeNull();
});
