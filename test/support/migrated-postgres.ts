import { createHash } from "node:crypto";
import { existsSync, globSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, readMigrations } from "../../server/src/platform/migrate.ts";
import { createPostgres, type PostgresServer } from "./postgres.ts";
import { timed } from "./set-up-times.ts";

/** One for each schema and each release of PostgreSQL; it stays for later runs. */
const templateFolder = (migrations: readonly unknown[]) => {
  const servers = globSync("/usr/lib/postgresql/*/bin").toSorted();
  const what = createHash("sha256")
    .update(JSON.stringify([servers, migrations]))
    .digest("hex");
  return join(tmpdir(), `portage-schema-${what.slice(0, 16)}`);
};

/** Makes the data that others begin with. Of several that do so at once, one stays. */
const makeTemplate = async (migrations: Awaited<ReturnType<typeof readMigrations>>, folder: string) => {
  const server = await createPostgres();
  try {
    server.start();
    await migrate(server.url, migrations);
    server.stop();
    renameSync(server.data, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(join(server.data, ".."), { recursive: true, force: true });
  }
};

/** The data folder of a server with the schema in its database, to be copied; made where it is missing. */
export const makeSchemaTemplate = async (): Promise<string> => {
  const migrations = await readMigrations();
  const folder = templateFolder(migrations);
  if (!existsSync(folder)) await makeTemplate(migrations, folder);
  return folder;
};

/** A private server that runs, with the schema in its database. */
export const startMigratedPostgres = (
  settings: Readonly<Record<string, string>> = {},
): Promise<PostgresServer> =>
  timed("PostgreSQL server", async () => {
    const server = await createPostgres(settings, await makeSchemaTemplate());
    await server.startAside();
    return server;
  });
