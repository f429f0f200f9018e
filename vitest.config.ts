import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    // whole stories take minutes: npm run test:journeys
    exclude: ["**/node_modules/**", "test/journeys/**"],
    globalSetup: "test/support/global-setup.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
