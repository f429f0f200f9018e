import { ConnectorError } from "../errors.ts";
import type { Hosts } from "../manifest.ts";
import { absoluteUrl, reachOf } from "./origins.ts";
import type { HttpRequest, QueryValue } from "../io.ts";

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status);

/** A connector can't set these headers: they belong to the connection. */
const forbidden = new Set(["host", "connection", "content-length", "transfer-encoding", "expect", "upgrade"]);

export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly authorized: boolean;
  readonly keepsBody: boolean;
}

const undeclared = (label: string, host: string) =>
  new ConnectorError({
    recovery: "abort",
    code: "undeclared_host",
    message: `The connector of ${label} tried to call ${host}, which its manifest does not declare.`,
  });

const confined = (label: string, hosts: Hosts, url: URL): boolean => {
  const reach = reachOf(hosts, url);
  if (reach === "undeclared" || url.username !== "" || url.password !== "") throw undeclared(label, url.host);
  return reach === "api";
};

const texts = (value: QueryValue | readonly QueryValue[]) =>
  (Array.isArray(value) ? value : [value]).filter((each) => each !== null && each !== undefined).map(String);

export const firstHop = (label: string, hosts: Hosts, request: HttpRequest): Hop => {
  const url = absoluteUrl(hosts, request.url);
  if (!url) throw undeclared(label, "an invalid URL");
  for (const [name, value] of Object.entries(request.query ?? {}))
    for (const text of texts(value)) url.searchParams.append(name, text);
  for (const name of Object.keys(request.headers ?? {}))
    if (forbidden.has(name.toLowerCase())) throw new TypeError(`A connector can't set the header ${name}.`);
  const method = request.method ?? "GET";
  return { method, url, authorized: confined(label, hosts, url), keepsBody: true };
};

/** The target of a redirect, if the answer is one; throws for a host that the manifest does not declare. */
export const nextHop = (
  label: string,
  hosts: Hosts,
  hop: Hop,
  status: number,
  location: string | undefined,
): Hop | null => {
  if (!isRedirect(status) || !location) return null;
  const url = URL.parse(location, hop.url.href);
  if (!url) throw undeclared(label, "an invalid URL");
  const authorized = confined(label, hosts, url);
  const becomesGet =
    hop.method !== "HEAD" &&
    (status === 303 || ((status === 301 || status === 302) && hop.method === "POST"));
  return {
    method: becomesGet ? "GET" : hop.method,
    url,
    // A redirect chain that left the tool never gets the credentials again.
    authorized: authorized && hop.authorized,
    keepsBody: hop.keepsBody && !becomesGet,
  };
};
