import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SpecExcerpt } from "./spec-excerpt.ts";

/** Where the excerpt of a tool is: committed, unlike the file that it was made from. */
export const excerptFile = (tool: string): string =>
  join(import.meta.dirname, tool === "stripe" ? "../../stripe" : `../${tool}`, "excerpt.openapi.json");

export const readExcerpt = (tool: string): SpecExcerpt =>
  JSON.parse(readFileSync(excerptFile(tool), "utf8")) as SpecExcerpt;

/** The vendor's own file, if VENDOR_SPECS names a folder that has it; null otherwise. */
export const readVendorFile = (tool: string): string | null => {
  const folder = process.env["VENDOR_SPECS"];
  const path = folder === undefined ? null : join(folder, `${tool}.json`);
  return path !== null && existsSync(path) ? readFileSync(path, "utf8") : null;
};
