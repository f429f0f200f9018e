import { isIP } from "node:net";
import { type Allowances, isAllowed } from "./allowances.ts";
import { OutboundError } from "./outbound-error.ts";
import { isPublicAddress } from "./public-address.ts";

const maxUrlLength = 8192;

export const portOf = (url: { readonly port: string; readonly protocol: string }): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);

export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

const refuse = (message: string): never => {
  throw new OutboundError("refused_url", message, false);
};

/** Parses the URL and throws if it must not be called. Host names are checked again at connect time. */
export const checkUrl = (text: string, allowances: Allowances): URL => {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null;
  if (!url) return refuse("The address is not a URL.");
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return refuse("The address must begin with https://.");
  if (url.username !== "" || url.password !== "")
    return refuse("The address must not hold a user name or password.");
  if (url.hostname === "" || url.port === "0") return refuse("The address has no usable host and port.");
  if (isAllowed(allowances, url.hostname, portOf(url))) return url;
  // The URL parser has normalized every form of an IPv4 literal (0x7f.1, 2130706433, 0177.0.0.1) to dotted decimal.
  const literal = withoutBrackets(url.hostname);
  if (isIP(literal) && !isPublicAddress(literal))
    throw new OutboundError("refused_address", `${url.host} is not a public address.`, false);
  if (url.protocol === "http:")
    throw new OutboundError("insecure", `${url.host} must be called with https.`, false);
  return url;
};
