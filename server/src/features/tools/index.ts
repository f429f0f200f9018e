export {
  listToolSettings,
  setOAuthClient,
  setToolEnabled,
  type ToolSettings,
} from "./store.ts";
export { loadConnectors } from "./load-connectors.ts";
export { watchSwitchedOff } from "./switched-off.ts";
export { createToolRegistry, sourceToolsFor, type SourceTool, type ToolRegistry } from "./registry.ts";
