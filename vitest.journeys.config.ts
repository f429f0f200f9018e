import { defineConfig } from "vitest/config";

const reports = process.env.TEST_REPORTS;

export default defineConfig({
  test: {
    include: ["test/journeys/**/*.test.ts"],
    reporters: reports
      ? ["default", ["json", { outputFile: `${reports}/vitest-journeys-${process.pid}.json` }]]
      : ["default"],
    // each story starts servers of its own: one at a time
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
