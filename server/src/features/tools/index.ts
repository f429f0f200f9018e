export {
  findOAuthClient,
  listToolSettings,
  oauthClientSecrets,
  setOAuthClient,
  setToolEnabled,
  type ToolSettings,
} from "./store.ts";
export { loadConnectors } from "./load-connectors.ts";
export { labelFor, namedFor } from "./named-for.ts";
export { watchSwitchedOff } from "./switched-off.ts";
export { createToolRegistry, sourceToolsFor, type SourceTool, type ToolRegistry } from "./registry.ts";
// The kit's words that routes need; they have no other door to it.
export { customFieldTypes, type FamilyStream, findStream, isConnectorError } from "@portage/connector-kit";
