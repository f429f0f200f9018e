import { join } from "node:path";

/**
 * For PORTAGE_CONNECTORS, which accepts anything that resolves from the server's folder: `stand-in` (upserts),
 * `stand-in-find` (its writes can only be found) and `stand-in-oauth`.
 */
export const standInPackages: readonly string[] = ["stand-in", "stand-in-find", "stand-in-oauth"].map(
  (name) => join(import.meta.dirname, `${name}.ts`),
);
