import type { Connector } from "@portage/connector-kit";
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
    name: "request-tracker",
    label: "Request Tracker",
    families: ["helpdesk"],
    roles: ["source", "destination"],
    settings,
  },
};
