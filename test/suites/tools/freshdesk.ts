import type { Subject } from "@portage/connector-kit/conformance";
import { openFreshdesk } from "../../vendors/freshdesk/open.ts";
import { reportOf } from "../stand-in-report.ts";
import type { ToolSuite } from "../suite.ts";

export const suite: ToolSuite = {
  tool: "freshdesk",
  counterpart: { kind: "stand-in" },
  runs: [{ label: "Freshdesk, a stand-in", family: "helpdesk" }],
  async start(transport) {
    const { tool, connector, settings } = await openFreshdesk();
    const { tickets } = tool.tables;
    const disturb: Subject["disturb"] = async (stream, { update, remove }) => {
      if (stream !== "tickets") return;
      for (const id of update) tickets.update(Number(id), {});
      for (const id of remove) tickets.remove(Number(id));
    };
    const retry = { firstDelayMs: 5, attempts: 4 };
    const subject: Subject = {
      connector,
      settings,
      family: "helpdesk",
      transport,
      retry,
      pageSize: 8,
      disturb,
    };
    return { subject: () => subject, report: reportOf(tool), stop: tool.close };
  },
};
