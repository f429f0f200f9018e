import { join } from "node:path";

/**
 * For PORTAGE_CONNECTORS, which takes whatever resolves from where the server runs: `stand-in` (upserts),
 * `stand-in-find` (its writes can only be looked for) and `stand-in-oauth`.
 */
export const standInPackages: readonly string[] = ["stand-in", "stand-in-find", "stand-in-oauth"].map(
  (name) => join(import.meta.dirname, `${name}.ts`),
);
