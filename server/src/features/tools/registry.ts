import type { Connector, Role } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

export interface ToolRegistry {
  /** Also one that is switched off: what is under way with it goes on. */
  find(name: string): Connector | undefined;
  /** Also those that are switched off, sorted by label. */
  every(): readonly Connector[];
  /** What can be chosen now, sorted by label. */
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

/** What the tools rule reads of a partner. */
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

/** The tools from which this partner's destination can be filled, sorted by label. */
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
