import { kitVersion, type Manifest } from "@portage/connector-kit";
import { z } from "zod";

/** What a customer enters to connect; the wizard renders its form from the titles and descriptions. */
const settings = z.object({
  instanceUrl: z.url().meta({
    title: "My Tool address",
    description: "The address in your browser, without the page.",
  }),
  token: z.string().min(1).meta({
    title: "API token",
    description: "In My Tool: where to click to get one.",
  }),
});

export type Settings = z.infer<typeof settings>;

export const manifest: Manifest<Settings> = {
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
};
