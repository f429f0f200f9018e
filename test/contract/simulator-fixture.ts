import { setTimeout as sleep } from "node:timers/promises";
import { type PortageEvent, verifyWebhook } from "@portage/sdk";
import { afterAll, beforeAll, expect } from "vitest";
import { createSimulations } from "../../server/src/features/simulator/index.ts";
import {
  createProgressSender,
  createWebhooks,
  newWebhookSecret,
  saveTarget,
  webhookTimes,
} from "../../server/src/features/webhooks/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { type CreatedBody, useApi } from "./api.ts";

export const simulator = "/api/simulator";

/** Longer than any test, so that no turn happens by itself, however slow the machine is. */
const heldSeconds = 3_600;

/** The API, the worker's part of simulations, and a receiver. The test controls the time. */
export const useSimulator = () => {
  const api = useApi();
  let receiver: WebhookReceiver;
  let outbound: Outbound;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    outbound = createOutbound({ allow: [receiver.host] });
  });
  afterAll(async () => {
    await outbound.close();
    await receiver.close();
  });
  /** Postpones or advances the next turn. */
  const shift = (id: string, seconds: number) =>
    api.db.pool.query(
      `update simulations set turn_at = turn_at + make_interval(secs => $2),
         run_since = run_since + make_interval(secs => $2) where id = $1`,
      [id, seconds],
    );
  const parts = () => ({ db: api.db, sealer: api.sealer });
  /** When the test last said what time it is: what has really passed since must not count. */
  const toldAt = new Map<string, number>();
  const passedSince = (id: string): number => {
    const now = performance.now();
    const passed = (now - (toldAt.get(id) ?? now)) / 1_000;
    toldAt.set(id, now);
    return passed;
  };
  /** A worker polls after this many seconds. */
  const pass = async (id: string, seconds: number) => {
    await shift(id, passedSince(id) - heldSeconds - seconds);
    await createSimulations(parts()).goOn();
    await shift(id, heldSeconds);
  };
  let partners = 0;

  /** Delivers until nothing is due. */
  const deliver = async () => {
    const webhooks = createWebhooks({
      ...parts(),
      outbound,
      log: createLog("silent"),
      times: webhookTimes(0.01),
      perPartner: 16,
    });
    for (let taken = await webhooks.takeDue(100); taken.length > 0; taken = await webhooks.takeDue(100))
      await Promise.all(taken.map((each) => webhooks.deliver(each)));
  };

  /** Sends the progress that is due; returns how many messages. */
  const sendProgress = async () => {
    const sender = createProgressSender({
      ...parts(),
      outbound,
      log: createLog("silent"),
      times: webhookTimes(),
    });
    const sent = await sender.sendDue();
    await sender.settled();
    return sent;
  };

  return {
    api,
    sendProgress,
    get receiver() {
      return receiver;
    },
    deliver,
    async partner(settings: Parameters<typeof api.partner>[0] = {}) {
      const { partner, token } = await api.partner(settings);
      partners += 1;
      const path = `/receiver-${partners}`;
      const secret = newWebhookSecret();
      const target = { url: `${receiver.url}${path}`, ordered: true, eventTypes: null };
      await saveTarget(api.db, api.sealer, partner.id, target, secret);
      /** Retries requests above the rate limit. */
      const askAt = async (base: string, method: string, at: string, body?: object) => {
        for (;;) {
          const answer = await api.ask({ method, path: `${base}${at}`, token, ...(body && { body }) });
          if (answer.status !== 429) return answer;
          await sleep(1_000);
        }
      };
      const ask = (method: string, at: string, body?: object) => askAt(simulator, method, at, body);
      return {
        partner,
        token,
        ask,
        askAt,
        async create(body: object = {}) {
          const { status, json, text } = await ask("POST", "/imports", {
            source_tool: "request-tracker",
            ...body,
          });
          expect(status, text).toBe(201);
          const made = json as CreatedBody;
          // On a busy machine the answer took its time, which must not count either.
          passedSince(made.id);
          const { rows } = await api.db.pool.query<{ seconds: number }>(
            "select extract(epoch from clock_timestamp() - created_at)::float8 as seconds from simulations where id = $1",
            [made.id],
          );
          await shift(made.id, heldSeconds + (rows[0]?.seconds ?? 0));
          return made;
        },
        /** The received events, verified as a partner would. */
        got: (): Promise<PortageEvent[]> =>
          Promise.all(
            receiver.at(path).map(async ({ headers, body }) => {
              const { event, schemes } = await verifyWebhook({ body, headers, secrets: secret.reveal() });
              expect(schemes.toSorted()).toEqual(["classic", "standard"]);
              return event;
            }),
          ),
      };
    },
    /** Lets this many seconds pass without a worker. */
    comeDue: (id: string, seconds: number) => shift(id, -heldSeconds - seconds),
    pass,
    /** Plays the scenario to its end and delivers its events. */
    async walk(id: string) {
      for (let second = 0; second < 27; second += 3) await pass(id, 3);
      await deliver();
    },
    removeOld: () => createSimulations(parts()).removeOld(),
  };
};
