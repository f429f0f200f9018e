// The table of tools in the README, made from the connectors' manifests. `node checks/tools-table.ts` writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Connector, Manifest } from "@portage/connector-kit";
import {
  createCsv,
  destinationProtocol,
  freshdesk,
  intercom,
  redmine,
  requestTracker,
  zendesk,
  znuny,
} from "@portage/connectors";
import { withGenerated } from "./generated-part.ts";

/** What the wizard offers, and the files that it can't take yet. */
const connectors: readonly { readonly connector: unknown; readonly note: string }[] = [
  { connector: redmine, note: "tested on real servers" },
  { connector: requestTracker, note: "tested on real servers" },
  { connector: znuny, note: "tested on a real server" },
  {
    connector: zendesk,
    note: "tested with a [stand-in](test/vendors/README.md) that is held to Zendesk's description",
  },
  {
    connector: freshdesk,
    note: "tested with a [stand-in](test/vendors/README.md); the description that it is held to is not the vendor's own",
  },
  {
    connector: intercom,
    note: "tested with a [stand-in](test/vendors/README.md) that is held to Intercom's description",
  },
  {
    connector: destinationProtocol,
    note: "[the partner's own application](examples/partner-app/README.md), by a protocol of five calls",
  },
  {
    connector: createCsv({ files: { open: async () => null } }),
    note: "no upload in the wizard yet",
  },
];

const signIns: Readonly<Record<Manifest["auth"]["kind"], string>> = {
  secret: "key",
  oauth2: "sign-in page",
  choice: "key or sign-in page",
  none: "none",
};

export const toolsTable = (): string =>
  [
    "| tool | source | destination | families | sign-in | |",
    "| --- | --- | --- | --- | --- | --- |",
    ...connectors.map(({ connector, note }) => {
      const { label, roles, families, auth } = (connector as Connector).manifest;
      const has = (role: (typeof roles)[number]) => (roles.includes(role) ? "yes" : "");
      return `| ${label} | ${has("source")} | ${has("destination")} | ${families.join(", ")} | ${signIns[auth.kind]} | ${note} |`;
    }),
  ].join("\n");

if (import.meta.main) {
  const readme = join(import.meta.dirname, "../README.md");
  writeFileSync(readme, withGenerated(readFileSync(readme, "utf8"), "tools", toolsTable()));
}
