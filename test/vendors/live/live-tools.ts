import type { Connector } from "@portage/connector-kit";
import { freshdesk, intercom, zendesk } from "@portage/connectors";
import { type VendorTool, vendorTools } from "../tools.ts";

export interface LiveTool extends Pick<VendorTool, "tool" | "title" | "amendments"> {
  readonly connector: Connector;
  /** What stands before the described paths. */
  readonly basePath: string;
}

const connectors: Readonly<Record<string, { readonly connector: unknown; readonly basePath: string }>> = {
  zendesk: { connector: zendesk, basePath: "" },
  freshdesk: { connector: freshdesk, basePath: "/api/v2" },
  intercom: { connector: intercom, basePath: "" },
};

/** The tools that have a description to compare a real account with. */
export const liveTools: readonly LiveTool[] = vendorTools.flatMap(({ tool, title, amendments }) => {
  const known = connectors[tool];
  if (!known) return [];
  return [{ tool, title, amendments, basePath: known.basePath, connector: known.connector as Connector }];
});
