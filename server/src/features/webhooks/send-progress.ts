import { type ProgressEvent, simulationIdPattern, statusTexts } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { type Metrics, noMetrics } from "../../platform/metrics/index.ts";
import { elapsedMs, momentNow } from "../../platform/moment.ts";
import type { Outbound } from "../../platform/outbound/index.ts";
import type { Sealer } from "../../platform/seal.ts";
import { findAnyImport } from "../imports/index.ts";
import { progressJson, progressOf } from "../runs/index.ts";
import { findSimulatedProgress } from "../simulator/index.ts";
import type { Attempt } from "./delivery.ts";
import { type Message, sendMessage } from "./send-message.ts";
import { noteHealth } from "./store-health.ts";
import { claimProgress, claimSimulatedProgress, type DueProgress } from "./store-progress.ts";
import { openSecrets } from "./store-targets.ts";
import type { WebhookTimes } from "./times.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly log: Log;
  readonly times: Pick<WebhookTimes, "requestMs" | "disableAfterMs">;
  readonly metrics?: Metrics;
  readonly now?: () => number;
}

export interface ProgressSender {
  /** Starts to send what is due, without waiting for answers; returns how many messages. */
  sendDue(): Promise<number>;
  /** Resolves when no message is under way. */
  settled(): Promise<void>;
}

/** Of this worker, at a time; events have slots of their own. */
const maxUnderWay = 16;

/** Figures that are older when the connection is open are read again, this often at most. */
const currentMs = 5_000;
const maxReads = 3;

/**
 * Sends the progress of live runs to the partners that asked for it: one attempt each, built when it is sent, and kept nowhere. So a
 * slow receiver gets fewer messages with newer figures, and an event never waits behind one.
 */
export const createProgressSender = (needs: Needs): ProgressSender => {
  const { db, sealer, log, times, metrics = noMetrics, now = Date.now } = needs;
  const send = sendMessage({ ...needs, requestMs: times.requestMs });
  /** By partner: a receiver gets one of them at a time. */
  const underWay = new Map<string, Promise<void>>();

  const messageOf = async (due: DueProgress): Promise<Message | null> => {
    // Before the figures are read: what happens meanwhile is an event with a later timestamp.
    const timestamp = now();
    const isSimulated = simulationIdPattern.test(due.importId);
    const read = isSimulated
      ? await findSimulatedProgress(db, sealer, due.importId)
      : await findProgress(due.importId);
    // It ended meanwhile: its event says more.
    if (!read) return null;
    const { found, shown, run } = read;
    const eventId = newId("evt");
    const bodyAt = (): ProgressEvent => ({
      event_id: eventId,
      type: "import.progress",
      id: found.id,
      token: found.linkToken.reveal(),
      status_code: found.state.status,
      status: statusTexts[found.state.status],
      previous_status: null,
      family: found.family,
      reference: found.reference,
      items: { ...shown.items },
      users: {
        source_tool: shown.people.source,
        destination_tool: shown.people.destination,
        matched: shown.people.matched,
      },
      progress: progressJson(run),
      ...(isSimulated && { test: true as const }),
      timestamp,
    });
    return { eventId, url: due.url, secrets: openSecrets(sealer, due), bodyAt, token: found.linkToken };
  };

  const findProgress = async (importId: string) => {
    const found = await findAnyImport(db, sealer, importId);
    const shown = (await progressOf(db, [importId])).get(importId);
    const run = shown?.progress;
    if (!found || !shown || shown.closed || !run) return null;
    // The status of the moment of the figures, not of the reading before.
    return { found: { ...found, state: { ...found.state, status: shown.status } }, shown, run };
  };

  const sendCurrent = async (due: DueProgress): Promise<Attempt | null> => {
    for (let reads = 1; ; reads += 1) {
      const readAt = momentNow();
      const message = await messageOf(due);
      const sent =
        message && (await send(message, () => reads === maxReads || elapsedMs(readAt) < currentMs));
      if (sent || !message) return sent;
    }
  };

  const sendOne = async (due: DueProgress): Promise<void> => {
    const sent = await sendCurrent(due);
    if (!sent) return;
    const { error } = sent;
    metrics.count("portage_webhook_progress_total", { outcome: error === null ? "delivered" : "lost" });
    // The receiver wants no more webhooks at all. Any other failure only means that the next message has newer figures.
    if (error !== "gone") return;
    const health = { partnerId: due.partnerId, epoch: due.healthEpoch, verdict: error } as const;
    for (const { partnerId, because } of await noteHealth(db, [health], times.disableAfterMs))
      log.warn({ partner: partnerId, because }, "webhook target disabled: see portage webhook show");
  };

  const start = (due: DueProgress) =>
    underWay.set(
      due.partnerId,
      sendOne(due)
        .catch((error: unknown) => log.warn({ err: error, import_id: due.importId }, "progress not sent"))
        .finally(() => underWay.delete(due.partnerId)),
    );

  return {
    sendDue: async () => {
      let sent = 0;
      for (const claim of [claimProgress, claimSimulatedProgress]) {
        const limit = maxUnderWay - underWay.size;
        if (limit <= 0) break;
        const due = await claim(db, { busyPartners: [...underWay.keys()], limit });
        for (const each of due) start(each);
        sent += due.length;
      }
      return sent;
    },
    settled: async () => {
      await Promise.all(underWay.values());
    },
  };
};
