import { defineConfig } from "vitest/config";

const reports = process.env.TEST_REPORTS;

/** The whole of it in a browser, on real tools, which are installed and started for it: `npm run test:story`. Needs root. */
export default defineConfig({
  test: {
    include: ["test/wizard/story/*.test.ts"],
    globalSetup: "test/wizard/build-once.ts",
    reporters: reports
      ? ["default", ["json", { outputFile: `${reports}/vitest-story-${process.pid}.json` }]]
      : ["default"],
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
