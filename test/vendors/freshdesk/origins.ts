import type { Freshdesk } from "./stand-in.ts";

/** The addresses of a stand-in, as the connector takes them. */
export const originsOf = ({ url, filesUrl }: Pick<Freshdesk, "url" | "filesUrl">) => ({
  instance: new RegExp(`^${url}/?$`),
  files: [filesUrl],
  /** A link to a file begins with its name in the store. */
  imageId: (link: string) =>
    link.startsWith(`${filesUrl}/a`) ? link.slice(`${filesUrl}/a`.length).replace(/\/.*$/s, "") : null,
});
