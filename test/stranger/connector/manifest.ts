import { kitVersion, type Manifest } from "@portage/connector-kit";
import { z } from "zod";

const settings = z.object({
  instanceUrl: z.url().meta({
    title: "Quill address",
    description: "The address of your team in the browser, up to the first slash: https://acme.quill.example",
  }),
  token: z.string().min(1).meta({
    title: "API key",
    description: "In Quill, as an administrator: “Settings”, “Developers”, “Keys”.",
  }),
});

export type Settings = z.infer<typeof settings>;

const apiOf = ({ instanceUrl }: Settings) => new URL("v1/", `${instanceUrl}/`.replace(/\/+$/, "/")).href;

const overBudget = z.object({ slow_down: z.number() });

export const manifest: Manifest<Settings> = {
  kit: kitVersion,
  name: "quill",
  label: "Quill",
  families: ["helpdesk"],
  roles: ["source"],
  settings,
  auth: {
    kind: "secret",
    secrets: ["token"],
    headers: () => ({}),
    // Links to files are on the same host, and work without the key.
    sign: (entered, { url }) => (url.href.startsWith(apiOf(entered)) ? { "quill-key": entered.token } : {}),
  },
  hosts: (entered) => ({ api: [apiOf(entered)] }),
  limits: [{ requests: 300, perMs: 60_000 }],
  quotaHeaders: [
    {
      remaining: { header: "quill-budget", part: "left" },
      reset: { header: "quill-budget", part: "renews" },
    },
  ],
  dialect: {
    explain({ status, json }) {
      if (status !== 420) return undefined;
      const { data } = overBudget.safeParse(json());
      return { status: 429, ...(data ? { retryAfterMs: data.slow_down * 1000 } : {}) };
    },
  },
  concurrency: 4,
  // Nothing is written.
  grace: { lateWriteMs: 0, findLagMs: 0 },
};
