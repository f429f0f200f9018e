import { createIntercom } from "../../../connectors/intercom/index.ts";
import { originsOf, settingsOf } from "../../vendors/intercom/origins.ts";
import { startIntercom } from "../../vendors/intercom/stand-in.ts";
import { reportOf } from "../stand-in-report.ts";
import type { ToolSuite } from "../suite.ts";

export const suite: ToolSuite = {
  tool: "intercom",
  counterpart: { kind: "stand-in", judged: true },
  runs: [{ label: "Intercom, a stand-in", family: "helpdesk" }],
  async start(transport) {
    const tool = await startIntercom({ quotas: "off" });
    const { conversations, tickets } = tool.tables;
    const subject = {
      connector: createIntercom(originsOf(tool)),
      settings: settingsOf(tool),
      family: "helpdesk" as const,
      transport,
      retry: { firstDelayMs: 5, attempts: 4 },
      pageSize: 4,
      disturb: async (
        stream: string,
        { update, remove }: { readonly update: readonly string[]; readonly remove: readonly string[] },
      ) => {
        const rows = (id: string) => (id.startsWith("t") ? tickets : conversations);
        const numberOf = (id: string) => Number(id.replace("t", ""));
        if (stream !== "tickets") return;
        for (const id of update) rows(id).update(numberOf(id), {});
        for (const id of remove) rows(id).remove(numberOf(id));
      },
    };
    return { subject: () => subject, report: reportOf(tool), stop: tool.close };
  },
};
