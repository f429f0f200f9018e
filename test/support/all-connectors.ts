import type { Connector } from "@portage/connector-kit";
import * as connectors from "@portage/connectors";

/** Every connector of this repository. One that is exported as a function needs something of its caller: only files do. */
export const allConnectors: readonly Connector[] = [
  ...Object.values(connectors).filter((each) => typeof each !== "function"),
  connectors.createCsv({ files: { open: async () => null } }),
] as readonly unknown[] as readonly Connector[];
