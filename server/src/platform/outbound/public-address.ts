import ipaddr from "ipaddr.js";

const metadataServices = new Set([
  // The one cloud whose metadata service has an address of its own in public space.
  "168.63.129.16",
]);

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** The last 64 bits of an ISATAP address are 0000:5efe or 0200:5efe and an IPv4 address: a tunnel to that. */
const isIsatap = ({ parts }: ipaddr.IPv6) => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);

/**
 * Whether an address that DNS returned is one that anybody on the internet could reach. Everything that embeds an
 * IPv4 address (mapped, compatible, 6to4, NAT64, Teredo, ISATAP) is refused whatever it embeds: no public service
 * needs to be reached that way.
 */
export const isPublicAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address) || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  if (parsed.kind() === "ipv4") return !metadataServices.has(parsed.toString());
  const six = parsed as ipaddr.IPv6;
  return six.match(globalUnicast) && !isIsatap(six);
};
