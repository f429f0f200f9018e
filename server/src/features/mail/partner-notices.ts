import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { Secret } from "../../platform/secret.ts";
import { type DisabledNotice, settleDisabledNotice, takeDisabledNotices } from "../webhooks/index.ts";
import { composeDisabledNotice } from "./compose-notice.ts";
import type { SendMessage } from "./smtp.ts";

interface Needs {
  readonly db: Database;
  readonly log: Log;
  readonly send: SendMessage;
  /** The operator's address. */
  readonly from: string;
  readonly publicUrl: string;
  /** The lease of a mail that is being sent. Longer than sending can take. */
  readonly leaseMs?: number;
}

const minuteMs = 60_000;
/** A day in all; `GET /webhook-endpoint` says it anyhow. */
const pausesMs = [minuteMs, 10 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs, 17 * 60 * minuteMs];
const batchSize = 5;

/** Tells partners by mail that their webhook endpoint is disabled, once for each time. */
export const createPartnerNotices = (needs: Needs): { sendDue(): Promise<number> } => {
  const { db, log, send, from, publicUrl, leaseMs = 3 * minuteMs } = needs;

  const sendOne = async (notice: DisabledNotice): Promise<void> => {
    const { partnerId, contactEmail, attempts, disabledAt } = notice;
    if (contactEmail === null) return settleDisabledNotice(db, notice, null);
    const outcome = await send({
      ...composeDisabledNotice(notice, publicUrl),
      // The same at every attempt, so that a duplicate mail can be recognized.
      messageId: `<${partnerId}.${disabledAt.getTime()}@${from.slice(from.lastIndexOf("@") + 1)}>`,
      from: { name: "Portage", address: from },
      to: new Secret(contactEmail),
      replyTo: null,
      stopLink: null,
    });
    if (outcome.kind === "accepted") {
      await settleDisabledNotice(db, notice, null);
      log.info(
        { partner: partnerId, attempt: attempts },
        "partner informed that its webhook target is disabled",
      );
      return;
    }
    const { kind, code, status } = outcome;
    log.warn({ partner: partnerId, attempt: attempts, code, status }, "mail to a partner not sent");
    const pauseMs = kind === "refused" ? undefined : pausesMs[attempts - 1];
    await settleDisabledNotice(db, notice, pauseMs ?? null);
  };

  return {
    sendDue: async () => {
      const due = await takeDisabledNotices(db, batchSize, leaseMs);
      await Promise.all(due.map(sendOne));
      return due.length;
    },
  };
};
