import type { IncomingHttpHeaders } from "node:http";

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(",") : header);

/**
 * Whether a request that a cookie came with was made by our own pages, as far as its browser says. A page's own reads may
 * also come from the address bar; its changes never do.
 */
export const fromOwnPages = (headers: IncomingHttpHeaders, origin: string, changes: boolean): boolean => {
  const site = one(headers["sec-fetch-site"]);
  if (site !== undefined && site !== "same-origin" && (changes || site !== "none")) return false;
  return headers.origin === undefined || headers.origin === origin;
};
