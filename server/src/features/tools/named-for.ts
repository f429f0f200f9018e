import type { Connector } from "@portage/connector-kit";
import type { ToolRegistry } from "./registry.ts";

/** A tool as a partner's customers know it: the partner's own application has the partner's name. */
export const namedFor = (connector: Connector, partnerName: string): Connector =>
  connector.manifest.partnersOwn
    ? { ...connector, manifest: { ...connector.manifest, label: partnerName } }
    : connector;

/** The label of a tool for a partner's customers; the tool's name if it is not installed. */
export const labelFor = (registry: ToolRegistry, tool: string, partnerName: string): string => {
  const connector = registry.find(tool);
  return connector ? namedFor(connector, partnerName).manifest.label : tool;
};
