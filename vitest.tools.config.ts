import { defineConfig } from "vitest/config";

/** Tests against real tools, which are installed and started for them: `npm run test:tools`. Needs root. */
export default defineConfig({
  test: {
    include: ["**/*.real.test.ts"],
    exclude: ["**/node_modules/**"],
    testTimeout: 300_000,
    hookTimeout: 900_000,
    // Each file starts a server of its own, which is as much as two cores can do.
    fileParallelism: false,
  },
});
