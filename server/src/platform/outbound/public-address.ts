import ipaddr from "ipaddr.js";

const metadataServices = new Set([
  // The only cloud metadata service with an address in public space.
  "168.63.129.16",
]);

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** The last 64 bits of an ISATAP address are 0000:5efe or 0200:5efe and the IPv4 address that it tunnels to. */
const isIsatap = ({ parts }: ipaddr.IPv6) => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);

/**
 * Whether an address is publicly routable. Every form that embeds an IPv4 address (mapped, compatible, 6to4, NAT64,
 * Teredo, ISATAP) is rejected whatever it embeds: no public service needs it.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed.kind() === "ipv4") return !metadataServices.has(parsed.toString());
  const six = parsed as ipaddr.IPv6;
  return six.match(globalUnicast) && !isIsatap(six);
};
