import { type Connector, ConnectorError, kitVersion } from "@portage/connector-kit";
import { z } from "zod";

const settings = z.object({
  instanceUrl: z
    .url()
    .meta({ title: "Redmine address", description: "The address in your browser, without the page." }),
  token: z.string().min(1).meta({
    title: "API access key",
    description: "In Redmine: My account, then “API access key” on the right, “Show”.",
  }),
});

export const redmine: Connector<z.infer<typeof settings>> = {
  manifest: {
    kit: kitVersion,
    name: "redmine",
    label: "Redmine",
    families: ["projects", "helpdesk"],
    roles: ["source", "destination"],
    settings,
    auth: {
      kind: "secret",
      secrets: ["token"],
      headers: ({ token }) => ({ "x-redmine-api-key": token }),
    },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 4,
    grace: { lateWriteMs: 60_000, findLagMs: 0 },
  },
  // A wrong key is anonymous, not refused, on every address but this one.
  async check({ http, settings: { instanceUrl } }) {
    const answer = await http.send({ url: "users/current.json" });
    const { user } = answer.json(z.object({ user: z.object({ login: z.string() }) }));
    const { host } = new URL(instanceUrl);
    if (!user.login)
      throw new ConnectorError({
        recovery: "reauthorize",
        code: "refused",
        message: "Redmine does not accept this API access key.",
        setting: "token",
      });
    return { signInName: user.login, accountName: host, accountId: host };
  },
};
