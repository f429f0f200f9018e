import type { Connector, Role } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

export interface ToolRegistry {
  /** Finds switched-off tools as well: imports under way with them continue. */
  find(name: string): Connector | undefined;
  /** All tools, switched-off ones included, sorted by label. */
  every(): readonly Connector[];
  /** The tools that can be chosen now, sorted by label. */
  all(role: Role): readonly Connector[];
}

const byLabel = (a: Connector, b: Connector) => a.manifest.label.localeCompare(b.manifest.label, "en");

export const createToolRegistry = (
  connectors: readonly Connector[],
  isOff: (name: string) => boolean = () => false,
): ToolRegistry => {
  const byName = new Map(connectors.map((connector) => [connector.manifest.name, connector]));
  if (byName.size !== connectors.length) throw new Error("Two connectors have the same name.");
  const sorted = connectors.toSorted(byLabel);
  return {
    find: (name) => byName.get(name),
    every: () => sorted,
    all: (role) => sorted.filter(({ manifest }) => manifest.roles.includes(role) && !isOff(manifest.name)),
  };
};

/** The settings of a partner that determine its source tools. */
export interface DestinationChoice {
  readonly destinationTool: string;
  readonly allowedSourceTools: readonly string[] | null;
}

export interface SourceTool {
  readonly name: string;
  readonly label: string;
  /** The families that it shares with the partner's destination. */
  readonly families: readonly Family[];
}

/** The source tools that this partner's destination can import from, sorted by label. */
export const sourceToolsFor = (registry: ToolRegistry, partner: DestinationChoice): readonly SourceTool[] => {
  const destination = registry.find(partner.destinationTool);
  if (!destination) return [];
  return registry
    .all("source")
    .filter(({ manifest }) => partner.allowedSourceTools?.includes(manifest.name) ?? true)
    .map(({ manifest }) => ({
      name: manifest.name,
      label: manifest.label,
      families: manifest.families.filter((family) => destination.manifest.families.includes(family)),
    }))
    .filter((tool) => tool.families.length > 0);
};
