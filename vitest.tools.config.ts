import { defineConfig } from "vitest/config";

const reports = process.env.TEST_REPORTS;

/** Tests against real tools, which are installed and started for them: `npm run test:tools`. Needs root. */
export default defineConfig({
  test: {
    include: ["**/*.real.test.ts"],
    exclude: ["**/node_modules/**"],
    reporters: reports
      ? ["default", ["json", { outputFile: `${reports}/vitest-tools-${process.pid}.json` }]]
      : ["default"],
    testTimeout: 300_000,
    hookTimeout: 900_000,
    // Each file starts a server of its own, which is as much as two cores can do.
    fileParallelism: false,
  },
});
