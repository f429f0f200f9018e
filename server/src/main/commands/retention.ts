import type { Command } from "commander";
import { keptDays } from "../../features/events/index.ts";
import { keptHours } from "../../features/idempotency/index.ts";
import { signInKeptDays } from "../../features/imports/index.ts";
import { listPartners, updatePartner } from "../../features/partners/index.ts";
import {
  ledgerKeptDays,
  mailsKeptDays,
  type RetentionDone,
  runRetention,
  sampleKeptDays,
} from "../../features/retention/index.ts";
import { deliveriesKeptDays } from "../../features/webhooks/index.ts";
import { knownPartner, unknownPartner } from "./known-partner.ts";
import type { Operator } from "./operator.ts";
import { limitOption, pageOf, wholeNumber } from "./paging.ts";
import { sheet, table } from "./table.ts";

const fixedPeriods = [
  `Idempotency keys are kept ${keptHours} hours, events ${keptDays} days, webhook deliveries with their attempts ${deliveriesKeptDays} days.`,
  `What a sample's review holds is kept ${sampleKeptDays} days, the ledger ${ledgerKeptDays} days after its month while no import of it is open.`,
  `After a migration the sign-in to the old tool is kept ${signInKeptDays.source} days, to the new one ${signInKeptDays.destination} days, as is the address that the customer wants mail at.`,
  `What was read of people, fields and words to be matched is kept as long as the sign-in to the old tool, what was chosen as long as the import is open.`,
  `That a mail was sent, but not what was in it or to whom, is kept ${mailsKeptDays} days.`,
].join("\n");

const inJson = (done: RetentionDone) => ({
  archived_imports: done.archivedImports,
  erased_sign_ins: done.erasedSignIns,
  erased_matchings: done.erasedMatchings,
  erased_mail_addresses: done.erasedMailAddresses,
  deleted_mails: done.deletedMails,
  deleted_unfinished_sign_ins: done.deletedUnfinishedSignIns,
  deleted_sessions: done.deletedSessions,
  deleted_links: done.deletedLinks,
  deleted_idempotency_keys: done.deletedIdempotencyKeys,
  deleted_events: done.deletedEvents,
  deleted_deliveries: done.deletedDeliveries,
  deleted_payment_notices: done.deletedPaymentNotices,
  erased_samples: done.erasedSamples,
  forgotten_accounts: done.forgottenAccounts,
  dropped_ledger_months: done.droppedLedgerMonths,
});

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
        deliveries_kept_days: deliveriesKeptDays,
        source_sign_in_kept_days: signInKeptDays.source,
        destination_sign_in_kept_days: signInKeptDays.destination,
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
    .description(
      "archive idle imports, erase sign-ins, delete old idempotency keys and events; workers do it once a day by themselves",
    )
    .action(async () => {
      const done = await operator.withDatabase(runRetention);
      operator.answer(inJson(done), () =>
        sheet({
          "imports archived": done.archivedImports,
          "sign-ins erased": done.erasedSignIns,
          "mail addresses erased": done.erasedMailAddresses,
          "mails forgotten": done.deletedMails,
          "sign-ins that nobody finished": done.deletedUnfinishedSignIns,
          "customers' sessions deleted": done.deletedSessions,
          "customers' further links deleted": done.deletedLinks,
          "idempotency keys deleted": done.deletedIdempotencyKeys,
          "events deleted": done.deletedEvents,
          "webhook deliveries deleted": done.deletedDeliveries,
          "matchings erased": done.erasedMatchings,
          "samples erased": done.erasedSamples,
          "accounts of tools forgotten": done.forgottenAccounts,
          "months of the ledger dropped": done.droppedLedgerMonths,
        }),
      );
    });
};
