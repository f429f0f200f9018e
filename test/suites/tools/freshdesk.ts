import { createHash } from "node:crypto";
import type { Subject } from "@portage/connector-kit/conformance";
import { createTestIo } from "@portage/connector-kit/testing";
import { openFreshdesk } from "../../vendors/freshdesk/open.ts";
import type { Freshdesk } from "../../vendors/freshdesk/stand-in.ts";
import { reportOf } from "../stand-in-report.ts";
import type { ToolSuite } from "../suite.ts";

/** How many records the tables have with a key. */
const countCopies = async ({ tables, dump }: Freshdesk, stream: string, key: string): Promise<number> => {
  const sha256 = createHash("sha256")
    .update(Buffer.from(`The bytes of ${key}: \u0000\u00ff\r\n`.repeat(200), "latin1"))
    .digest("hex");
  const rows: Readonly<Record<string, readonly unknown[]>> = {
    organizations: tables.companies.live(),
    contacts: tables.people.live(),
    groups: tables.groups.live(),
    tickets: tables.tickets.live().map(({ data }) => data.custom_fields),
    comments: tables.tickets.live().flatMap(({ data }) => data.conversations.map(({ body }) => body)),
    attachments: dump()
      .attachments.filter((each) => each.sha256 === sha256)
      .map(() => key),
  };
  return (rows[stream] ?? []).filter((row) => JSON.stringify(row).includes(key)).length;
};

export const suite: ToolSuite = {
  tool: "freshdesk",
  counterpart: { kind: "stand-in", judged: true },
  runs: [{ label: "Freshdesk, a stand-in", family: "helpdesk" }],
  async start(transport) {
    const { tool, connector, settings } = await openFreshdesk();
    const { tickets } = tool.tables;
    const disturb: Subject["disturb"] = async (stream, { update, remove }) => {
      if (stream !== "tickets") return;
      for (const id of update) tickets.update(Number(id), {});
      for (const id of remove) tickets.remove(Number(id));
    };
    const addTo: Subject["addTo"] = async (stream, id) => {
      if (stream !== "tickets") return null;
      const notesNow = () => tickets.get(Number(id))?.data.conversations ?? [];
      const note = tool.tables.newConversation({
        body: "<p>Thank you!</p>",
        incoming: true,
        private: false,
        user_id: Number(tool.ids.get("admin")),
        source: 0,
        createdAt: Date.now(),
        attachments: [],
      });
      tickets.update(Number(id), { conversations: [...notesNow(), note] });
      return async () =>
        tickets.get(Number(id))?.deletedAt === null && notesNow().some((each) => each.id === note.id);
    };
    const keyed = (connector.destination?.helpdesk ?? []).find(({ stream }) => stream.name === "tickets");
    await keyed?.fieldSetup?.createKeyField?.(
      createTestIo({ ...connector, settings, transport }),
      "the-suite",
    );
    const subject: Subject = {
      connector: {
        ...connector,
        manifest: { ...connector.manifest, grace: { lateWriteMs: 500, findLagMs: 0 } },
      },
      settings,
      family: "helpdesk",
      transport,
      mails: async () => tool.counted.mails,
      copies: (stream, key) => countCopies(tool, stream, key),
      retry: { firstDelayMs: 5, attempts: 4 },
      pageSize: 8,
      addTo,
      disturb,
    };
    return { subject: () => subject, report: reportOf(tool), stop: tool.close };
  },
};
