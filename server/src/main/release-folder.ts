import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** A folder of built pages; a relative path is relative to this release, not to the working directory. */
export const releaseFolder = (setting: string): string => resolve(root, setting);
