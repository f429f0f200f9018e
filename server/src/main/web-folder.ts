import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** Where the built pages are: a relative folder is one of this release, wherever the process was started. */
export const webFolder = (setting: string): string => resolve(root, setting);
