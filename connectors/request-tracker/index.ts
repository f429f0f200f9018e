import { type Connector, kitVersion } from "@portage/connector-kit";
import { z } from "zod";

const settings = z.object({
  instanceUrl: z
    .url()
    .meta({ title: "Request Tracker address", description: "The address of its front page." }),
  token: z.string().min(1).meta({
    title: "Authentication token",
    description: "In Request Tracker: Logged in as, Settings, Auth Tokens, “Create”.",
  }),
});

export const requestTracker: Connector<z.infer<typeof settings>> = {
  manifest: {
    kit: kitVersion,
    name: "request-tracker",
    label: "Request Tracker",
    families: ["helpdesk"],
    roles: ["source", "destination"],
    settings,
    auth: {
      kind: "secret",
      secrets: ["token"],
      headers: ({ token }) => ({ authorization: `token ${token}` }),
    },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 4,
    grace: { lateWriteMs: 60_000, findLagMs: 0 },
  },
  async check({ http, settings: { instanceUrl } }) {
    await http.send({ url: "REST/2.0/queues/all", query: { per_page: 1 } });
    const { host } = new URL(instanceUrl);
    return { signInName: host, accountName: host, accountId: host };
  },
};
