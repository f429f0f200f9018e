import { type Connector, kitVersion } from "@portage/connector-kit";
import { z } from "zod";
import { ticketDestination } from "./destination.ts";
import { type Settings, settings } from "./settings.ts";
import { commentSource, ticketSource } from "./source.ts";

export const myTool: Connector<Settings> = {
  manifest: {
    kit: kitVersion,
    name: "my-tool",
    label: "My Tool",
    families: ["helpdesk"],
    roles: ["source", "destination"],
    settings,
    auth: {
      kind: "secret",
      secrets: ["token"],
      headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
    },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 4,
    grace: { lateWriteMs: 500, findLagMs: 0 },
  },
  async check({ http }) {
    const me = (await http.send({ url: "me" })).json(
      z.object({ login: z.string(), company: z.string(), account: z.string() }),
    );
    return { signInName: me.login, accountName: me.company, accountId: me.account };
  },
  // What is pointed to comes first: a comment needs its ticket.
  source: { helpdesk: [ticketSource, commentSource] },
  destination: { helpdesk: [ticketDestination] },
};
