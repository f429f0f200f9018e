import type { Command } from "commander";
import { describeBlockers, migrate, readMigrations } from "../../platform/migrate.ts";
import type { Operator } from "./operator.ts";

export const migrateCommand = (command: Command, operator: Operator): void => {
  command
    .option("--allow-newer", "Accept a database that a newer release migrated, to go back to this one")
    .action(async ({ allowNewer = false }: { allowNewer?: boolean }) => {
      const migrations = await readMigrations();
      const config = operator.config("DATABASE_URL", "PORTAGE_RUNTIME_ROLE");
      const { applied, version } = await migrate(config.DATABASE_URL, migrations, {
        allowNewer,
        runtimeRole: config.PORTAGE_RUNTIME_ROLE,
        onBlocked: ({ migration, attempt, blockers, pauseMs }) =>
          operator.remark(
            `${migration}, try ${attempt}: in its way: ${describeBlockers(blockers)}. Next try in ${pauseMs / 1_000} s.`,
          ),
      });
      operator.answer({ version, applied, supports: migrations.length }, () => {
        if (version > migrations.length)
          return `Nothing to do: a newer release brought the database to version ${version}; this release supports ${migrations.length} and works with it.`;
        return applied.length === 0
          ? `Nothing to do: the database is at version ${version}.`
          : [...applied.map((name) => `applied ${name}`), `The database is at version ${version}.`].join(
              "\n",
            );
      });
    });
};
