import type { Zendesk } from "./stand-in.ts";

/** The addresses of a stand-in whose exports are not behind, as the connector takes them. */
export const originsOf = ({ url, filesUrl }: Pick<Zendesk, "url" | "filesUrl">) => ({
  account: new RegExp(`^${url}$`),
  files: [filesUrl],
  exportLagMs: 0,
});
