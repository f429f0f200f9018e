import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import { type Freshdesk, startFreshdesk } from "../../test/vendors/freshdesk/stand-in.ts";
import { originsOf } from "../../test/vendors/freshdesk/origins.ts";
import { createFreshdesk } from "./index.ts";

const transport = createPlainTransport();
let tool: Freshdesk | undefined;

afterAll(async () => {
  await tool?.close();
  await transport.close();
});

testConformance(
  "Freshdesk, a stand-in",
  { describe, test },
  async () => {
    const started = await startFreshdesk({ quotas: "off" });
    tool = started;
    return {
      connector: createFreshdesk(originsOf(started)),
      settings: { instanceUrl: started.url, token: started.credentials.apiKey },
      family: "helpdesk",
      transport,
      retry: { firstDelayMs: 5, attempts: 4 },
      pageSize: 8,
      disturb: async (stream, { update, remove }) => {
        const table = stream === "tickets" ? started.tables.tickets : null;
        for (const id of table ? update : []) table?.touch(Number(id));
        for (const id of table ? remove : []) table?.remove(Number(id));
      },
    };
  },
  600_000,
);

test("the suite broke none of Freshdesk's laws, and the stand-in told no lies", () => {
  expect(tool?.breaches.all).toEqual([]);
  expect(tool?.lies).toEqual([]);
});
