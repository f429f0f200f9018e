import ipaddr from "ipaddr.js";

/**
 * What a limit per IP address counts as one client: an IPv4 address, or the /64 of an IPv6 address, because a single
 * connection has all 2^64 addresses of it. An IPv4 address written as IPv6 counts as itself.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
};
