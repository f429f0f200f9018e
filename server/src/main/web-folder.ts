import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** The folder of the built pages; a relative path is relative to this release, not to the working directory. */
export const webFolder = (setting: string): string => resolve(root, setting);
