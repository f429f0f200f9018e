import type { ToolSuite } from "../../test/suites/suite.ts";
import { startStandIn } from "../../test/tools/stand-in/stand-in.ts";
import { myTool } from "./index.ts";

export const suite: ToolSuite = {
  tool: "my-tool",
  // Replaces My Tool until the suite starts the real one or a double.
  counterpart: { kind: "stand-in", judged: false },
  runs: [{ label: "My Tool", family: "helpdesk" }],
  async start(transport) {
    const tool = await startStandIn({
      counts: { tickets: 37, comments: 37 },
      pageSize: 8,
      largeText: 100_000,
    });
    return {
      subject: (family) => ({
        connector: myTool,
        settings: { instanceUrl: tool.url, token: tool.token },
        family,
        transport,
        mails: async () => tool.stats().mails,
        copies: async (stream, key) => tool.written(stream).countWithKey(key),
        disturb: async (stream, { update, remove }) => {
          for (const id of update) tool.source.get(stream)?.update(id, {});
          for (const id of remove) tool.source.get(stream)?.remove(id);
        },
      }),
      stop: () => tool.close(),
    };
  },
};
