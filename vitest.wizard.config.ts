import { defineConfig } from "vitest/config";

const reports = process.env.TEST_REPORTS;

/** The wizard in a real browser, against everything that it needs: `npm run test:wizard`. */
export default defineConfig({
  test: {
    include: ["test/wizard/*.test.ts"],
    globalSetup: "test/wizard/build-once.ts",
    reporters: reports
      ? ["default", ["json", { outputFile: `${reports}/vitest-wizard-${process.pid}.json` }]]
      : ["default"],
    // each file starts servers and a browser of its own: one at a time
    fileParallelism: false,
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
