import { defineConfig } from "vitest/config";

// Where a caller wants figures of each run: one JSON file per process, so that several runs can be added up.
const reports = process.env.TEST_REPORTS;

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    // whole stories and real tools take minutes: npm run test:journeys, test:wizard, test:tools
    exclude: ["**/node_modules/**", "test/journeys/**", "test/wizard/**", "**/*.real.test.ts"],
    globalSetup: "test/support/global-setup.ts",
    setupFiles: ["test/support/fixed-dice.ts"],
    reporters: reports
      ? ["default", ["json", { outputFile: `${reports}/vitest-${process.pid}.json` }]]
      : ["default"],
    // Many files start processes of their own and wait for them. Two at a time end sooner; on two cores one then waits
    // too long now and then, and a check that fails by chance says nothing.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
