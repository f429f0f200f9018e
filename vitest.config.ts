import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { TestReporter } from "./checks/ci/test-report.ts";
import { Announcer } from "./test/support/announcer.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { patienceMs } from "./test/support/patience.ts";

// Where a caller wants figures of a run.
const reports = process.env.TEST_REPORTS;
const minute = 60_000;
// For the servers that tests start.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const cpuTime = "test/support/cpu-time.ts";
const unreachable = ["**/node_modules/**", "test/journeys/**", "test/wizard/**", "test/console/**"];

/** Each project has a command of its own; `npm test` runs the first three, `npm run test:slow` those with real tools and browsers. */
export default defineConfig({
  test: {
    reporters: [
      "default",
      new Announcer(),
      ...(reports ? [new TestReporter(reports, import.meta.dirname)] : []),
    ],
    // Most files wait for servers more than they compute: on two cores four at a time keep both busy.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // Time-outs only catch what hangs: a busy machine takes ten times as long as a quiet one.
    projects: [
      {
        // Pure logic: no process, socket or database, so that it answers in seconds.
        test: {
          name: "fast",
          include: ["**/*.test.ts"],
          exclude: [...unreachable, "**/*.{exhaustive,integration,real,timing}.test.ts"],
          setupFiles: [cpuTime, "test/support/pure-logic.ts"],
          // a worker loads what many files import once
          isolate: false,
          expect: { poll: { timeout: minute / 2 } },
          testTimeout: 5 * minute,
        },
      },
      {
        // Pure logic that takes its time: every order of events, hours of simulated quota.
        test: {
          name: "exhaustive",
          include: ["**/*.exhaustive.test.ts"],
          exclude: unreachable,
          setupFiles: [cpuTime, "test/support/pure-logic.ts"],
          isolate: false,
          testTimeout: 15 * minute,
        },
      },
      {
        // Against PostgreSQL, Restate and our own processes.
        test: {
          name: "integration",
          setupFiles: [cpuTime],
          include: ["**/*.integration.test.ts"],
          exclude: unreachable,
          globalSetup: "test/support/global-setup.ts",
          isolate: false,
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 15 * minute,
          hookTimeout: 10 * minute,
        },
      },
      {
        // Bounds on speed, which a busy machine breaks: never a part of CI.
        test: {
          name: "timings",
          include: ["**/*.timing.test.ts"],
          exclude: unreachable,
          globalSetup: "test/support/global-setup.ts",
          fileParallelism: false,
          testTimeout: minute,
        },
      },
      {
        // Against real tools, which are installed and started for them. Needs root.
        test: {
          name: "tools",
          setupFiles: [cpuTime],
          include: ["**/*.real.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 20 * minute,
          hookTimeout: 10 * minute,
        },
      },
      {
        // Whole stories, by HTTP and commands alone.
        test: {
          name: "journeys",
          setupFiles: [cpuTime],
          include: ["test/journeys/**/*.test.ts"],
          exclude: ["**/*.proof.test.ts"],
          testTimeout: 20 * minute,
          hookTimeout: 10 * minute,
        },
      },
      {
        // Further moves between tools, for which CI has no time.
        test: {
          name: "moves",
          include: ["test/journeys/*.proof.test.ts"],
          testTimeout: 60 * minute,
          hookTimeout: 30 * minute,
        },
      },
      {
        // The wizard in a real browser, against everything that it needs.
        test: {
          name: "wizard",
          setupFiles: [cpuTime],
          include: ["test/wizard/*.test.ts"],
          exclude: ["**/*.proof.test.ts"],
          globalSetup: ["test/wizard/build-once.ts", "test/wizard/build-site-once.ts"],
          isolate: false,
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 20 * minute,
          hookTimeout: 10 * minute,
        },
      },
      {
        // The operator's console in a real browser, on a database with runs that a plain loop drives.
        test: {
          name: "console",
          setupFiles: [cpuTime],
          include: ["test/console/*.test.ts"],
          globalSetup: "test/wizard/build-once.ts",
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 20 * minute,
          hookTimeout: 10 * minute,
        },
      },
      {
        // Every screen in every language, looked at closely: CI has no time for it.
        test: {
          name: "languages",
          include: ["test/wizard/*.proof.test.ts"],
          globalSetup: "test/wizard/build-once.ts",
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 60 * minute,
          hookTimeout: 30 * minute,
        },
      },
      {
        // `npm run demo` from a copy of this repository, in a browser and by itself.
        test: {
          name: "demo",
          setupFiles: [cpuTime],
          include: ["test/wizard/demo/*.test.ts"],
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 15 * minute,
          hookTimeout: 10 * minute,
        },
      },
      {
        // Large files, moved by clicks: for hours, so never a part of CI. Needs root.
        test: {
          name: "files",
          include: ["test/wizard/story/*.proof.test.ts"],
          globalSetup: "test/wizard/build-once.ts",
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 60 * minute,
          hookTimeout: 30 * minute,
        },
      },
      {
        // The whole of it in a browser, on real tools. Needs root. Too long for CI, which has each part of it.
        test: {
          name: "story",
          include: ["test/wizard/story/*.test.ts"],
          exclude: ["**/*.proof.test.ts"],
          globalSetup: "test/wizard/build-once.ts",
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 60 * minute,
          hookTimeout: 30 * minute,
        },
      },
    ],
  },
});
