export { createToolRegistry, sourceToolsFor, type SourceTool, type ToolRegistry } from "./registry.ts";
