import { redmine, requestTracker } from "@portage/connectors";
import { createToolRegistry, type ToolRegistry } from "../features/tools/index.ts";

/** Every tool that this release can read from or write to. */
export const createTools = (): ToolRegistry => createToolRegistry([redmine, requestTracker]);
