import type { Connector } from "@portage/connector-kit";
import { z } from "zod";
import { manifest, type Settings } from "./manifest.ts";
import {
  attachmentSource,
  commentSource,
  contactSource,
  groupSource,
  organizationSource,
  recordAt,
  ticketSource,
  userSource,
} from "./source.ts";

const whoami = z.object({ owner: z.object({ email: z.string() }), team: z.object({ name: z.string() }) });

export const quill: Connector<Settings> = {
  manifest,
  async check({ http, settings }) {
    const { owner, team } = (await http.send({ url: "whoami" })).json(whoami);
    return {
      signInName: owner.email,
      accountName: team.name,
      accountId: new URL(settings.instanceUrl).host,
    };
  },
  recordAt,
  source: {
    helpdesk: [
      userSource,
      organizationSource,
      contactSource,
      groupSource,
      ticketSource,
      commentSource,
      attachmentSource,
    ],
  },
};
