import { allConnectors } from "../../test/support/all-connectors.ts";
import { loadSuites } from "../../test/suites/load-suites.ts";
import { vendorTools } from "../../test/vendors/tools.ts";
import type { ToolFacts } from "./tool-page.ts";

const suites = await loadSuites();

/** Every tool, by its label. */
export const toolFacts: readonly ToolFacts[] = allConnectors
  .map((connector) => ({
    connector,
    suite: suites.find(({ tool }) => tool === connector.manifest.name),
    vendor: vendorTools.find(({ tool }) => tool === connector.manifest.name),
  }))
  .toSorted((a, b) => a.connector.manifest.label.localeCompare(b.connector.manifest.label, "en"));

export const toolFile = ({ connector }: ToolFacts): string => `docs/tools/${connector.manifest.name}.md`;
