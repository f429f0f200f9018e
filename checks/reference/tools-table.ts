// The table of tools in the README, made from the connectors' manifests.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "@portage/connector-kit";
import { withGenerated } from "../generated-part.ts";
import { toolFacts, toolFile } from "./tool-facts.ts";
import type { ToolFacts } from "./tool-page.ts";

const signIns: Readonly<Record<Manifest["auth"]["kind"], string>> = {
  secret: "key",
  oauth2: "sign-in page",
  choice: "key or sign-in page",
  none: "none",
};

const noteOf = ({ suite, vendor }: ToolFacts): string => {
  const counterpart = suite?.counterpart;
  if (counterpart?.kind === "real server")
    return `tested on a real ${counterpart.product} ${counterpart.version}`;
  if (counterpart?.kind === "stand-in" && vendor)
    return `tested with a [stand-in](test/vendors/README.md) that is held to ${vendor.describedBy}`;
  if (counterpart?.kind === "example")
    return "[the partner's own application](examples/partner-app/README.md), by a protocol of five calls";
  return counterpart?.kind === "files" ? "[uploaded in the wizard](docs/customers/files.md)" : "";
};

export const toolsTable = (tools: readonly ToolFacts[]): string =>
  [
    "| tool | source | destination | families | sign-in | |",
    "| --- | --- | --- | --- | --- | --- |",
    ...tools.map((facts) => {
      const { label, roles, families, auth } = facts.connector.manifest;
      const has = (role: (typeof roles)[number]) => (roles.includes(role) ? "yes" : "");
      return `| [${label}](${toolFile(facts)}) | ${has("source")} | ${has("destination")} | ${families.join(", ")} | ${signIns[auth.kind]} | ${noteOf(facts)} |`;
    }),
  ].join("\n");

export const readmeWithTools = (root: string): string =>
  withGenerated(readFileSync(join(root, "README.md"), "utf8"), "tools", toolsTable(toolFacts));
