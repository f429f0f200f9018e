import type { Connector } from "@portage/connector-kit";
import { z } from "zod";
import { ticketDestination } from "./destination.ts";
import { manifest, type Settings } from "./manifest.ts";
import { commentSource, ticketSource } from "./source.ts";

const me = z.object({ login: z.string(), company: z.string(), account: z.string() });

export const myTool: Connector<Settings> = {
  manifest,
  async check({ http }) {
    const { login, company, account } = (await http.send({ url: "me" })).json(me);
    return { signInName: login, accountName: company, accountId: account };
  },
  // Order: a stream comes after the streams that it references. A comment needs its ticket.
  source: { helpdesk: [ticketSource, commentSource] },
  destination: { helpdesk: [ticketDestination] },
};
