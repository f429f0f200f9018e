import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

/** A folder of this release, such as that of the built pages: a relative path is not relative to the working directory. */
export const releasePath = (setting: string): string => resolve(root, setting);
