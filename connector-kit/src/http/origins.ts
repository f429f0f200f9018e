import type { Hosts } from "../manifest.ts";

/** Whether calls to a URL carry the credentials, carry none, or are forbidden. */
export type Reach = "api" | "files" | "undeclared";

const matches = (declared: string, url: URL): boolean => {
  const wildcard = /^(https?:)\/\/\*\.([^/]+)/.exec(declared);
  if (!wildcard) return URL.parse(declared)?.origin === url.origin;
  const [, protocol, rest] = wildcard;
  const dot = url.host.indexOf(".");
  // One label only: *.cdn.example is not a.b.cdn.example.
  return url.protocol === protocol && dot > 0 && url.host.slice(dot + 1) === rest;
};

export const reachOf = ({ api, files = [] }: Hosts, url: URL): Reach => {
  if (api.some((declared) => matches(declared, url))) return "api";
  if (files.some((declared) => matches(declared, url))) return "files";
  return "undeclared";
};

/** Resolves relative URLs against the instance, which can be under a path: `https://acme.example/redmine`. */
export const absoluteUrl = ({ api: [base] }: Hosts, url: string): URL | null =>
  /^[a-z][a-z0-9+.-]*:/i.test(url)
    ? URL.parse(url)
    : URL.parse(
        url.replace(/^\/+/, "").replace(/^(?=[^/?#]*:)/, "./"),
        base.endsWith("/") ? base : `${base}/`,
      );
