import type { OpenedSide } from "../chunk/chunk-context.ts";

const isWithin = (host: string, allowed: string): boolean => {
  const [, any = "", name = ""] = /^https?:\/\/(\*\.)?([^/]+)/i.exec(allowed) ?? [];
  const own = name.toLowerCase();
  return any === ""
    ? host === own
    : host.endsWith(`.${own}`) && !host.slice(0, -own.length - 1).includes(".");
};

/** An address that people may follow: of this tool, over HTTP. The address in a record may lead anywhere. */
export const ownAddress = (
  { connector, settings }: Pick<OpenedSide, "connector" | "settings">,
  address: string | null | undefined,
): string | null => {
  const url = URL.parse(address ?? "");
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  const { api, files = [] } = connector.manifest.hosts(settings);
  return [...api, ...files].some((allowed) => isWithin(url.host, allowed)) ? (address ?? null) : null;
};
