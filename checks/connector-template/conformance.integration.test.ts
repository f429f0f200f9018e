import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, test } from "vitest";
import { startStandIn } from "../../test/tools/stand-in/stand-in.ts";
import { myTool } from "./index.ts";

const transport = createPlainTransport();
// Replaces My Tool until the test starts the real one or a double.
const tool = await startStandIn({ counts: { tickets: 37, comments: 37 }, pageSize: 8, largeText: 100_000 });
afterAll(async () => {
  await tool.close();
  await transport.close();
});

testConformance("My Tool", { describe, test }, async () => ({
  connector: myTool,
  settings: { instanceUrl: tool.url, token: tool.token },
  family: "helpdesk",
  transport,
  mails: async () => tool.stats().mails,
  copies: async (stream, key) => tool.written(stream).countWithKey(key),
  disturb: async (stream, { update, remove }) => {
    for (const id of update) tool.source.get(stream)?.update(id, {});
    for (const id of remove) tool.source.get(stream)?.remove(id);
  },
}));
