import { defineConfig } from "vitest/config";

// Where a caller wants figures of each run: one JSON file per process, so that several runs can be added up.
const reports = process.env.TEST_REPORTS;

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    // whole stories and real tools take minutes: npm run test:journeys, npm run test:tools
    exclude: ["**/node_modules/**", "test/journeys/**", "**/*.real.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    reporters: reports
      ? ["default", ["json", { outputFile: `${reports}/vitest-${process.pid}.json` }]]
      : ["default"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
