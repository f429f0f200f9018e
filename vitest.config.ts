import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";

// Where a caller wants figures of each run: one JSON file per process, so that several runs can be added up.
const reports = process.env.TEST_REPORTS;
const minute = 60_000;
// For the servers that tests start.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

/** Each project has a command of its own: `npm test`, `npm run test:tools` and so on; `npm run test:slow` runs all but the first. */
export default defineConfig({
  test: {
    reporters: reports
      ? ["default", ["json", { outputFile: `${reports}/vitest-${process.pid}.json` }]]
      : ["default"],
    // Many files start servers and wait for them: two at a time keep two cores busy, and more would be in each other's way.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/journeys/**", "test/wizard/**", "**/*.real.test.ts"],
          globalSetup: "test/support/global-setup.ts",
          setupFiles: ["test/support/fixed-dice.ts"],
          // 320 files import the same server: a worker loads it once
          isolate: false,
          testTimeout: minute,
          hookTimeout: 2 * minute,
        },
      },
      {
        // Against real tools, which are installed and started for them. Needs root.
        test: {
          name: "tools",
          include: ["**/*.real.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 5 * minute,
          hookTimeout: 15 * minute,
        },
      },
      {
        // Whole stories, by HTTP and commands alone.
        test: {
          name: "journeys",
          include: ["test/journeys/**/*.test.ts"],
          testTimeout: 5 * minute,
          hookTimeout: 10 * minute,
        },
      },
      {
        // The wizard in a real browser, against everything that it needs.
        test: {
          name: "wizard",
          include: ["test/wizard/*.test.ts"],
          globalSetup: "test/wizard/build-once.ts",
          isolate: false,
          expect: { poll: { timeout: minute / 2 } },
          testTimeout: 5 * minute,
          hookTimeout: 5 * minute,
        },
      },
      {
        // The whole of it in a browser, on real tools. Needs root.
        test: {
          name: "story",
          include: ["test/wizard/story/*.test.ts"],
          globalSetup: "test/wizard/build-once.ts",
          expect: { poll: { timeout: minute / 2 } },
          testTimeout: 15 * minute,
          hookTimeout: 15 * minute,
        },
      },
    ],
  },
});
