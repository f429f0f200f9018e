import type { IncomingHttpHeaders } from "node:http";

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(",") : header);

/**
 * Whether a request with a cookie comes from our own pages, according to the browser's headers. Reads may also come
 * from the address bar; changes never do.
 */
export const fromOwnPages = (headers: IncomingHttpHeaders, origin: string, changes: boolean): boolean => {
  const site = one(headers["sec-fetch-site"]);
  if (site !== undefined && site !== "same-origin" && (changes || site !== "none")) return false;
  return headers.origin === undefined || headers.origin === origin;
};
