// `npm run schema` writes the types of the live schema; `npm run schema -- --verify` fails when they are out of date.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { migrate, readMigrations } from "../server/src/platform/migrate.ts";
import { createPostgres } from "../test/support/postgres.ts";

const root = join(import.meta.dirname, "..");
const server = await createPostgres();
try {
  server.start();
  await migrate(server.url, await readMigrations());
  const { status } = spawnSync(
    join(root, "node_modules/.bin/kysely-codegen"),
    [
      "--dialect=postgres",
      `--url=${server.url}`,
      "--camel-case",
      "--exclude-pattern=schema_migrations",
      `--out-file=${join(root, "server/src/platform/schema.ts")}`,
      ...(process.argv.includes("--verify") ? ["--verify"] : []),
    ],
    { stdio: "inherit" },
  );
  if (status !== 0)
    console.error("server/src/platform/schema.ts is not what the migrations make: npm run schema");
  process.exitCode = status ?? 1;
} finally {
  server.remove();
}
