import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import type { Sealer } from "../../platform/seal.ts";
import { findAnyImport, type ImportRecord, redirectUrl } from "../imports/index.ts";
import { makeLink, revokeLink } from "../links/index.ts";
import { deriveTheme, findPartner } from "../partners/index.ts";
import { addsUp, findReportedRun, makeReport } from "../runs/index.ts";
import type { MailAddress } from "./address.ts";
import type { MailFigures } from "./catalogue.ts";
import { displayName } from "./clean-text.ts";
import { composeMail } from "./compose.ts";
import type { SendMessage, SmtpOutcome } from "./smtp.ts";
import { stopUrl } from "./stop-url.ts";
import { findAddress } from "./store.ts";
import {
  type DueMail,
  endMail,
  isStillNeeded,
  isStillPlanned,
  putOffMail,
  takeDueMails,
} from "./store-due.ts";

export interface MailSenderNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly send: SendMessage;
  /** The operator's address; the display name is the partner's. */
  readonly from: string;
  readonly publicUrl: string;
  readonly labelOf: (tool: string, partnerName: string) => string;
  /** The lease of a mail that is being sent. Longer than sending can take. */
  readonly leaseMs?: number;
}

export interface MailSender {
  /** Sends due mails; returns their number. */
  sendDue(): Promise<number>;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const pausesMs = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
];
/** As long as an undo is possible. */
const linkMs = 30 * 24 * hourMs;
const batchSize = 5;

const screenOf = ({ occasion, about }: DueMail): string | null => {
  if (occasion !== "needs_you")
    return ({ sample_ready: "review", done: "done", undone: "undo", starts_soon: "full" } as const)[occasion];
  const screens: Readonly<Record<string, string>> = {
    source_sign_in: "connect",
    destination_sign_in: "destination",
    preflight: "full",
    undo: "undo",
    sponsorship_accepted: "full",
    sponsorship_rejected: "full",
    bought: "full",
    start_missed: "full",
  };
  return screens[about] ?? null;
};

const total = (causes: readonly { readonly count: number }[]) =>
  causes.reduce((sum, { count }) => sum + count, 0);

/** Sends ordered mails: at most one per order, unless this process dies between sending and recording it. */
export const createMailSender = (needs: MailSenderNeeds): MailSender => {
  const { db, sealer, log, send, from, publicUrl, leaseMs = 3 * minuteMs } = needs;

  const figuresOf = async ({ id, family }: ImportRecord, mail: DueMail): Promise<MailFigures | null> => {
    const run = mail.occasion === "done" ? await findReportedRun(db, id) : undefined;
    // A later run has replaced the report: that run has a mail of its own.
    if (run?.id !== mail.runId) return null;
    const report = makeReport({ importId: id, family }, run);
    const figures = { written: 0, matched: 0, skipped: 0, failed: 0 };
    for (const stream of report.streams) {
      figures.written += stream.written;
      figures.matched += stream.matched;
      figures.skipped += total(stream.skipped);
      figures.failed += total(stream.failed);
    }
    return { ...figures, addsUp: addsUp(report) };
  };

  const deliver = async (mail: DueMail, found: ImportRecord, to: MailAddress): Promise<SmtpOutcome> => {
    const partner = await findPartner(db, found.partnerId);
    const wanted = { importId: found.id, purpose: "email", expiresInMs: linkMs } as const;
    const made = await makeLink(db, { ...wanted, underMark: found.linkMark, mailedTo: to.sealed });
    if (made.kind !== "made") return { kind: "failed", code: made.kind, status: null };
    const screen = screenOf(mail);
    const partnerName = partner?.name ?? "Portage";
    const stopLink = stopUrl(publicUrl, found.id, to.stopKey);
    const outcome = await send({
      ...composeMail({
        occasion: mail.occasion,
        language: to.language,
        stopLink,
        facts: {
          partner: partnerName,
          source: needs.labelOf(found.sourceTool, partnerName),
          destination: needs.labelOf(found.destinationTool, partnerName),
          about: mail.about,
          figures: await figuresOf(found, mail),
        },
        link: `${redirectUrl(publicUrl, found.id, made.token)}${screen === null ? "" : `?screen=${screen}`}`,
        colors: deriveTheme(partner?.branding.color).light,
      }),
      // The same at every attempt, so that a duplicate mail can be recognized.
      messageId: `<${mail.id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
      from: { name: displayName(partner?.name ?? ""), address: from },
      to: to.email,
      replyTo: partner?.branding.helpEmail ?? null,
      stopLink,
    });
    // The mail was not accepted. If it arrives all the same, only the next attempt's link works.
    if (outcome.kind !== "accepted") await revokeLink(db, found.id, made.id);
    return outcome;
  };

  const isWanted = async (mail: DueMail): Promise<boolean> => {
    if (mail.occasion === "needs_you") return isStillNeeded(db, mail);
    return mail.occasion !== "starts_soon" || isStillPlanned(db, mail);
  };

  const sendOne = async (mail: DueMail): Promise<void> => {
    const ids = { mail: mail.id, import: mail.importId, occasion: mail.occasion, attempt: mail.attempts };
    const pauseMs = pausesMs[mail.attempts - 1];
    const found = await findAnyImport(db, sealer, mail.importId);
    const to = await findAddress(db, sealer, mail.importId);
    const wanted = await isWanted(mail);
    if (!found || found.state.closed !== null || !to || !wanted) return endMail(db, mail, "dropped");
    const outcome = await deliver(mail, found, to);
    if (outcome.kind === "accepted") {
      const now = await findAddress(db, sealer, mail.importId);
      if (now && now.stopKey.reveal() !== to.stopKey.reveal()) {
        // The link in this mail was revoked with the address: the new address gets a mail of its own.
        log.warn(ids, "mail sent to an address that was replaced meanwhile");
        return putOffMail(db, mail, 0);
      }
      await endMail(db, mail, "sent");
      log.info(ids, "mail sent");
      return;
    }
    const { code, status } = outcome;
    log.warn({ ...ids, code, status }, outcome.kind === "refused" ? "mail refused" : "mail not sent");
    if (outcome.kind === "refused") await endMail(db, mail, "refused");
    else if (pauseMs === undefined) await endMail(db, mail, "given_up");
    else await putOffMail(db, mail, pauseMs);
  };

  return {
    sendDue: async () => {
      const due = await takeDueMails(db, batchSize, leaseMs);
      const ended = await Promise.allSettled(due.map(sendOne));
      // The mail's claim expires by itself; the loop logs the error and waits.
      const broken = ended.find((each) => each.status === "rejected");
      if (broken) throw broken.reason;
      return due.length;
    },
  };
};
