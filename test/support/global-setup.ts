import type { TestProject } from "vitest/node";
import { migrate, readMigrations } from "../../server/src/platform/migrate.ts";
import { createPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    templateUrl: string;
  }
}

/** One private server for the whole run, with a migrated database that each test file copies. */
const setup = async ({ provide }: TestProject) => {
  const server = await createPostgres();
  server.start();
  await migrate(server.url, await readMigrations());
  provide("templateUrl", server.url);
  return () => server.remove();
};

export default setup;
