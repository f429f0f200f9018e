/**
 * The installed connectors and the operator's settings for them. Entry points: `loadConnectors`, `createToolRegistry`,
 * `sourceToolsFor`, `watchSwitchedOff`, `setToolEnabled`, `setOAuthClient`, `labelFor`.
 * Invariants: tool names are unique (`loadConnectors`, `createToolRegistry`). A switched-off tool is not offered
 * (`all`), but `find` still returns it, so that imports under way continue. The secret of an OAuth client is sealed for
 * its tool and the origin that the operator registered (store.ts).
 */
export {
  findOAuthClient,
  listOAuthClients,
  listToolSettings,
  oauthClientSecrets,
  removeOAuthClients,
  setOAuthClient,
  setToolEnabled,
} from "./store.ts";
export { loadConnectors } from "./load-connectors.ts";
export { labelFor, namedFor } from "./named-for.ts";
export { findSimilarTool } from "./similar-tool.ts";
export { watchSwitchedOff } from "./switched-off.ts";
export { createToolRegistry, sourceToolsFor, type SourceTool, type ToolRegistry } from "./registry.ts";
// Re-exports of the connector kit for routes, which do not import it directly.
export { customFieldTypes, type FamilyStream, findStream, isConnectorError } from "@portage/connector-kit";
