import type { Intercom } from "./stand-in.ts";

/** The addresses of a stand-in, as the connector takes them. */
export const originsOf = ({ url, filesUrl }: Pick<Intercom, "url" | "filesUrl">) => ({
  regions: { [url]: `${url}/` },
  files: [filesUrl],
});

/** What a customer enters. */
export const settingsOf = ({ url, credentials }: Pick<Intercom, "url" | "credentials">) => ({
  instanceUrl: `${url}/a/inbox/acme`,
  token: credentials.accessToken,
});
