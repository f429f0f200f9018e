import type { Connector } from "@portage/connector-kit";
import type { ToolRegistry } from "./registry.ts";

/** A tool as a partner's customers know it: the partner's own application goes by the partner's name. */
export const namedFor = (connector: Connector, partnerName: string): Connector =>
  connector.manifest.partnersOwn
    ? { ...connector, manifest: { ...connector.manifest, label: partnerName } }
    : connector;

/** What a partner's customers call a tool, installed or not. */
export const labelFor = (registry: ToolRegistry, tool: string, partnerName: string): string => {
  const connector = registry.find(tool);
  return connector ? namedFor(connector, partnerName).manifest.label : tool;
};
