import type { Connector } from "@portage/connector-kit";
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
    name: "redmine",
    label: "Redmine",
    families: ["projects", "helpdesk"],
    roles: ["source", "destination"],
    settings,
  },
};
