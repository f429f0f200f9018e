import type { Command } from "commander";
import { deleteOldEvents, keptDays } from "../../features/events/index.ts";
import { deleteOldKeys, keptHours } from "../../features/idempotency/index.ts";
import { archiveIdleImports } from "../../features/imports/index.ts";
import { listPartners, updatePartner } from "../../features/partners/index.ts";
import { knownPartner, unknownPartner } from "./known-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption, pageOf, wholeNumber } from "./paging.ts";
import { sheet, table } from "./table.ts";

const fixedPeriods = `Idempotency keys are kept ${keptHours} hours, events ${keptDays} days.`;

export const retentionCommands = (program: Command, operator: Operator): void => {
  const retention = program.command("retention").description("how long things are kept");

  limitOption(retention.command("show").description("after how many idle days imports are archived"))
    .argument("[partner]", "of one partner; left out: of all")
    .option("--after <partner>", "start after this id, the last of the page before")
    .action(async (id: string | undefined, { limit, after }: { limit: number; after?: string }) => {
      const found = await operator.withDatabase(async (db) =>
        id === undefined ? listPartners(db, { after, limit: limit + 1 }) : [await knownPartner(db, id)],
      );
      const { page, next } = pageOf(found, limit);
      const json = {
        partners: page.map((p) => ({ id: p.id, name: p.name, archive_after_days: p.archiveAfterDays })),
        idempotency_keys_kept_hours: keptHours,
        events_kept_days: keptDays,
        next,
      };
      operator.answer(json, () =>
        [
          table(
            ["partner", "name", "archive after idle days"],
            page.map((p) => [p.id, p.name, p.archiveAfterDays]),
          ),
          `\n${fixedPeriods}`,
        ].join("\n"),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  retention
    .command("set")
    .description("after how many idle days a partner's imports are archived")
    .argument("<partner>", "its id")
    .requiredOption("--archive-after-days <days>", "1 to 3650", wholeNumber(1, 3650))
    .action(async (id: string, { archiveAfterDays }: { archiveAfterDays: number }) => {
      const changed = await operator.withDatabase((db) => updatePartner(db, id, { archiveAfterDays }));
      if (!changed) throw unknownPartner(id);
      operator.answer(
        { id, name: changed.name, archive_after_days: changed.archiveAfterDays },
        () => `The imports of ${id} are archived after ${changed.archiveAfterDays} idle days.`,
      );
    });

  retention
    .command("run")
    .description("archive idle imports, delete old idempotency keys and events; meant for a daily timer")
    .action(async () => {
      const done = await operator.withDatabase(async (db) => ({
        archived_imports: (await archiveIdleImports(db)).archived,
        deleted_idempotency_keys: await deleteOldKeys(db),
        deleted_events: await deleteOldEvents(db),
      }));
      operator.answer(done, () =>
        sheet({
          "imports archived": done.archived_imports,
          "idempotency keys deleted": done.deleted_idempotency_keys,
          "events deleted": done.deleted_events,
        }),
      );
    });
};
