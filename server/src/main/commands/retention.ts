import type { OperatorPartner } from "@portage/contract/operator";
import type { Command } from "commander";
import { keptDays } from "../../features/events/index.ts";
import { keptHours } from "../../features/idempotency/index.ts";
import { signInKeptDays } from "../../features/imports/index.ts";
import {
  closedKeptDays,
  ledgerKeptDays,
  mailsKeptDays,
  type RetentionDone,
  runRetention,
  sampleKeptDays,
  unfinishedUploadDays,
  unusedUploadDays,
} from "../../features/retention/index.ts";
import { auditKeptDays } from "../../features/staff/index.ts";
import { deliveriesKeptDays } from "../../features/webhooks/index.ts";
import { noteDirectChange } from "./direct-change.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { listPages, pathOf } from "./operator-call.ts";
import { findClient } from "./operator-client.ts";
import { limitOption, wholeNumber } from "./paging.ts";
import { noPartner } from "./no-partner.ts";
import { sheet, table } from "./table.ts";

const fixedPeriods = [
  `Idempotency keys: ${keptHours} hours.`,
  `Events: ${keptDays} days; webhook deliveries with their attempts: ${deliveriesKeptDays} days.`,
  `Sample reviews: ${sampleKeptDays} days.`,
  `Ledger: ${ledgerKeptDays} days after the month's end, longer while an import of that month is open.`,
  `Everything else of an import, except its payments: ${closedKeptDays} days after it was closed.`,
  `Source sign-in: ${signInKeptDays.source} days after the migration.`,
  `Destination sign-in and the customer's mail address: ${signInKeptDays.destination} days after the migration.`,
  `Uploaded files: as long as the source sign-in; ${unfinishedUploadDays} days if the upload was not completed, ${unusedUploadDays} if it came after that sign-in was erased and is not used.`,
  `People, fields and options read for matching: as long as the source sign-in.`,
  `The customer's choices: as long as the import is open.`,
  `The staff's audit log: ${auditKeptDays} days.`,
  `The fact that a mail was sent, without its content and recipient: ${mailsKeptDays} days.`,
].join("\n");

const inJson = (done: RetentionDone) => ({
  archived_imports: done.archivedImports,
  erased_sign_ins: done.erasedSignIns,
  erased_unfinished_uploads: done.erasedUnfinishedUploads,
  erased_unused_uploads: done.erasedUnusedUploads,
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
  deleted_staff_audit: done.deletedStaffAudit,
  deleted_staff_sessions: done.deletedStaffSessions,
  deleted_staff_invitations: done.deletedStaffInvitations,
  deleted_effects: done.deletedEffects,
  deleted_old_links: done.deletedOldLinks,
  dropped_ledger_months: done.droppedLedgerMonths,
  erased_imports: done.erasedImports,
});

export const retentionCommands = (retention: Command, operator: Operator): void => {
  limitOption(retention.command("show").description("Show retention periods"))
    .argument("[partner]", "Partner id (default: all partners)")
    .option("--after <partner>", "Start after this partner id, the last of the previous page")
    .action(async (id: string | undefined, { limit, after }: { limit: number; after?: string }) => {
      const { rows, next } = await withOperatorApi(operator, async (call) =>
        id === undefined
          ? listPages(call, "partners", { limit, after })
          : {
              rows: [await call<OperatorPartner>(pathOf`/partners/${id}`, { refusals: noPartner(id) })],
              next: null,
            },
      );
      const json = {
        partners: rows.map(({ id: partner, name, archive_after_days, old_links_days }) => ({
          id: partner,
          name,
          archive_after_days,
          old_links_days,
        })),
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
            ["partner", "name", "archive after idle days", "old links lead on for days"],
            rows.map((p) => [p.id, p.name, p.archive_after_days, p.old_links_days]),
          ),
          `\n${fixedPeriods}`,
        ].join("\n"),
      );
      if (next) operator.remark(`There are more: --after ${next}`);
    });

  retention
    .command("set")
    .description("Set after how many idle days a partner's imports are archived")
    .argument("<partner>", "Partner id")
    .requiredOption("--archive-after-days <days>", "Number of days, 1 to 3650", wholeNumber(1, 3650))
    .action(async (id: string, { archiveAfterDays }: { archiveAfterDays: number }) => {
      const { name, archive_after_days } = await withOperatorApi(operator, (call) =>
        call<OperatorPartner>(pathOf`/partners/${id}`, {
          method: "PUT",
          body: { archive_after_days: archiveAfterDays },
          refusals: noPartner(id),
        }),
      );
      operator.answer(
        { id, name, archive_after_days },
        () => `Portage archives imports of ${id} after ${archive_after_days} idle days.`,
      );
    });

  retention
    .command("run")
    .description(
      "Archive idle imports and delete expired data now (by the operator API: within ten minutes); workers do this once a day",
    )
    .action(async () => {
      const client = await findClient(operator);
      if (client) {
        const wanted = await client<{ last_run_at: string | null }>("/retention/run", { method: "POST" });
        operator.answer(wanted, () => "A worker does so within ten minutes.");
        return;
      }
      const done = await operator.withDatabase(async (db) => {
        const result = await runRetention(db);
        await noteDirectChange(db, "runRetention", {
          target: { kind: "system", id: "retention" },
          after: inJson(result),
        });
        return result;
      });
      operator.answer(inJson(done), () =>
        sheet({
          "imports archived": done.archivedImports,
          "sign-ins erased": done.erasedSignIns,
          "mail addresses erased": done.erasedMailAddresses,
          "mails deleted": done.deletedMails,
          "unfinished sign-ins deleted": done.deletedUnfinishedSignIns,
          "customers' sessions deleted": done.deletedSessions,
          "customers' additional links deleted": done.deletedLinks,
          "idempotency keys deleted": done.deletedIdempotencyKeys,
          "events deleted": done.deletedEvents,
          "webhook deliveries deleted": done.deletedDeliveries,
          "matchings erased": done.erasedMatchings,
          "samples erased": done.erasedSamples,
          "tool accounts deleted": done.forgottenAccounts,
          "entries of the staff's audit log deleted": done.deletedStaffAudit,
          "old sessions of the staff deleted": done.deletedStaffSessions,
          "expired invitations of the staff deleted": done.deletedStaffInvitations,
          "dispatched effects deleted": done.deletedEffects,
          "old links deleted": done.deletedOldLinks,
          "ledger months dropped": done.droppedLedgerMonths,
          "closed imports erased": done.erasedImports,
        }),
      );
    });
};
