import type { Database } from "../../platform/db.ts";
import { deleteOldNotices } from "../billing/index.ts";
import { deleteOldSignIns } from "../connections/index.ts";
import { eraseLongClosed } from "../erasure/index.ts";
import { deleteOldEvents } from "../events/index.ts";
import { deleteOldKeys } from "../idempotency/index.ts";
import { archiveIdleImports, eraseFinishedSignIns, signInKeptDays } from "../imports/index.ts";
import { deleteOldLinks, deleteOldSessions } from "../links/index.ts";
import { deleteOldMails, eraseFinishedAddresses } from "../mail-outbox/index.ts";
import { eraseOldMatching } from "../mapping/index.ts";
import { deleteDispatched } from "../outbox/index.ts";
import { deleteExpiredOldLinks, dropLedgerMonths, eraseOldSamples } from "../runs/index.ts";
import { deleteOldInvitations, deleteOldStaffAudit, deleteOldStaffSessions } from "../staff/index.ts";
import { deleteUnusedAccounts } from "../tool-limits/index.ts";
import { eraseUnfinished, eraseUnused } from "../uploads/index.ts";
import { deleteOldDeliveries } from "../webhooks/index.ts";
import {
  closedKeptDays,
  ledgerKeptDays,
  mailsKeptDays,
  outboxKeptDays,
  sampleKeptDays,
  unfinishedUploadDays,
  unusedUploadDays,
} from "./periods.ts";
import { noteRetention, wantedRetention } from "./store.ts";

const ledgerKeptMs = ledgerKeptDays * 24 * 3_600_000;

const eraseSamples = async (db: Database): Promise<number> => {
  let erased = 0;
  for (
    let more = await eraseOldSamples(db, sampleKeptDays);
    more > 0;
    more = await eraseOldSamples(db, sampleKeptDays)
  )
    erased += more;
  return erased;
};

/** Archives idle imports and erases data past its retention; what sign-ins depend on comes first. */
export const runRetention = async (db: Database) => {
  const wanted = await wantedRetention(db);
  const done = {
    archivedImports: (await archiveIdleImports(db)).archived,
    erasedSignIns: (await eraseFinishedSignIns(db)).erased,
    erasedUnfinishedUploads: await eraseUnfinished(db, unfinishedUploadDays),
    erasedUnusedUploads: await eraseUnused(db, unusedUploadDays),
    erasedMatchings: await eraseOldMatching(db),
    erasedMailAddresses: await eraseFinishedAddresses(db, signInKeptDays.destination),
    deletedMails: await deleteOldMails(db, mailsKeptDays),
    deletedUnfinishedSignIns: await deleteOldSignIns(db),
    deletedSessions: await deleteOldSessions(db),
    deletedLinks: await deleteOldLinks(db),
    deletedIdempotencyKeys: await deleteOldKeys(db),
    deletedEvents: await deleteOldEvents(db),
    deletedDeliveries: await deleteOldDeliveries(db),
    deletedPaymentNotices: await deleteOldNotices(db),
    erasedSamples: await eraseSamples(db),
    forgottenAccounts: await deleteUnusedAccounts(db),
    deletedStaffAudit: await deleteOldStaffAudit(db),
    deletedStaffSessions: await deleteOldStaffSessions(db),
    deletedStaffInvitations: await deleteOldInvitations(db),
    deletedEffects: await deleteDispatched(db, outboxKeptDays),
    deletedOldLinks: await deleteExpiredOldLinks(db),
    droppedLedgerMonths: (await dropLedgerMonths(db, new Date(Date.now() - ledgerKeptMs))).length,
    // After the months were dropped: then there is little left to delete row by row.
    erasedImports: await eraseLongClosed(db, closedKeptDays),
  };
  await noteRetention(db, wanted);
  return done;
};

export type RetentionDone = Awaited<ReturnType<typeof runRetention>>;
