import type { Subject } from "@portage/connector-kit/conformance";
import { openZendesk } from "../../vendors/zendesk/open.ts";
import { reportOf } from "../stand-in-report.ts";
import type { ToolSuite } from "../suite.ts";

export const suite: ToolSuite = {
  tool: "zendesk",
  counterpart: { kind: "stand-in" },
  runs: [{ label: "Zendesk", family: "helpdesk" }],
  excused: {
    "start-time-once": "the suite begins exports that it does not end, and starts others meanwhile",
  },
  async start(transport) {
    const { tool, connector, settings } = await openZendesk();
    const tables: Readonly<
      Record<string, { update(id: number, data: object): unknown; remove(id: number): unknown }>
    > = {
      tickets: tool.tables.tickets,
      contacts: tool.tables.users,
      organizations: tool.tables.organizations,
      articles: tool.tables.articles,
    };
    const disturb: Subject["disturb"] = async (stream, { update, remove }) => {
      for (const id of update) tables[stream]?.update(Number(id), {});
      // Comments go with their ticket, which the suite would take for lost: a test of its own deletes tickets.
      if (stream !== "tickets") for (const id of remove) tables[stream]?.remove(Number(id));
    };
    const subject: Subject = { connector, settings, family: "helpdesk", transport, pageSize: 8, disturb };
    return { subject: () => subject, report: reportOf(tool), stop: tool.close };
  },
};
