import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/journeys/**/*.test.ts"],
    // each story starts servers of its own: one at a time
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
