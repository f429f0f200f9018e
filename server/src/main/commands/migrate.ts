import type { Command } from "commander";
import { migrate, readMigrations } from "../../platform/migrate.ts";
import type { Operator } from "./operator.ts";

export const migrateCommand = (command: Command, operator: Operator): void => {
  command.action(async () => {
    const migrations = await readMigrations();
    const { applied } = await migrate(operator.config("DATABASE_URL").DATABASE_URL, migrations);
    const version = migrations.length;
    operator.answer({ version, applied }, () =>
      applied.length === 0
        ? `Nothing to do: the database is at version ${version}.`
        : [...applied.map((name) => `applied ${name}`), `The database is at version ${version}.`].join("\n"),
    );
  });
};
