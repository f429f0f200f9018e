import type { TestProject } from "vitest/node";
import { migrate, readMigrations } from "../../server/src/platform/migrate.ts";
import { createPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** One for each worker. */
    templateUrls: readonly string[];
  }
}

const startServer = async () => {
  const server = await createPostgres();
  server.start();
  await migrate(server.url, await readMigrations());
  return server;
};

/**
 * A private server for each worker, with a migrated database that each test file copies: on a common one, a transaction
 * of one file would hold back the events that another waits for.
 */
const setup = async ({ provide, config }: TestProject) => {
  const servers = await Promise.all(Array.from({ length: config.maxWorkers }, startServer));
  provide(
    "templateUrls",
    servers.map(({ url }) => url),
  );
  return () => {
    for (const server of servers) server.remove();
  };
};

export default setup;
