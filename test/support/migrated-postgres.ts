import { createHash } from "node:crypto";
import { globSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, readMigrations } from "../../server/src/platform/migrate.ts";
import { madeOnce } from "./made-once.ts";
import { createPostgres, type PostgresServer } from "./postgres.ts";
import { timed } from "./set-up-times.ts";

/**
 * The data folder of a server with the schema in its database, to be copied. There is one for each schema and each release
 * of PostgreSQL, and later runs reuse it.
 */
export const makeSchemaTemplate = async (): Promise<string> => {
  const migrations = await readMigrations();
  const servers = globSync("/usr/lib/postgresql/*/bin").toSorted();
  const what = createHash("sha256")
    .update(JSON.stringify([servers, migrations]))
    .digest("hex");
  const folder = await madeOnce(join(tmpdir(), `portage-schema-${what.slice(0, 16)}`), async (aside) => {
    const server = await createPostgres();
    try {
      server.start();
      await migrate(server.url, migrations);
      server.stop();
      renameSync(server.data, join(aside, "data"));
    } finally {
      server.remove();
    }
  });
  return join(folder, "data");
};

/** A running private server with the schema in its database. */
export const startMigratedPostgres = (
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> =>
  timed("PostgreSQL server", async () => {
    const server = await createPostgres(settings, { copyOf: await makeSchemaTemplate() });
    await server.startAside();
    return server;
  });
