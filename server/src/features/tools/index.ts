export {
  findOAuthClient,
  listToolSettings,
  setOAuthClient,
  setToolEnabled,
  type ToolSettings,
} from "./store.ts";
export { watchSwitchedOff } from "./switched-off.ts";
export { createToolRegistry, sourceToolsFor, type SourceTool, type ToolRegistry } from "./registry.ts";
