import { setTimeout as sleep } from "node:timers/promises";
import { destinationProtocol, redmine, requestTracker } from "@portage/connectors";
import { signatureHeaders } from "@portage/contract/signing";
import { createPortage, type Mode, type Portage, type PortageEvent } from "@portage/sdk";
import { afterAll, beforeAll } from "vitest";
import { createToolChecks, type ToolCheck } from "../../../server/src/features/connections/index.ts";
import { type Deliveries, startDeliveries } from "../../../server/src/engine/deliveries.ts";
import type { Loop } from "../../../server/src/platform/loop.ts";
import { createSemaphore } from "../../../server/src/engine/semaphore.ts";
import { startSimulationsLoop } from "../../../server/src/background/simulations-loop.ts";
import { moveImport } from "../../../server/src/features/imports/index.ts";
import { createSimulations } from "../../../server/src/features/simulator/index.ts";
import { createToolRegistry } from "../../../server/src/features/tools/index.ts";
import {
  countOpen,
  createWebhooks,
  disableTarget,
  enableTarget,
  saveTarget,
  webhookTimes,
} from "../../../server/src/features/webhooks/index.ts";
import { createLog } from "../../../server/src/platform/log.ts";
import { createOutbound, type Outbound } from "../../../server/src/platform/outbound/index.ts";
import { Secret } from "../../../server/src/platform/secret.ts";
import { useApi } from "../../../test/contract/api.ts";
import { send } from "../../../test/contract/http-client.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { openRedmineDoor, type RedmineDoor } from "../../../test/support/redmine-door.ts";
import { type RunningDesk, startDesk } from "./running-desk.ts";

export const webhookSecret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

interface FixtureOptions {
  readonly mode?: Mode;
  /** Whether the desk frames Portage's pages. */
  readonly frames?: boolean;
  /** Whether the operator allows it. */
  readonly mayEmbed?: boolean;
}

/** A desk whose customers can move data, the API that it uses, and the part of a worker that sends webhooks. */
export const useMovingDesk = ({
  mode = "production",
  frames = false,
  mayEmbed = false,
}: FixtureOptions = {}) => {
  const registry = createToolRegistry([redmine, requestTracker, destinationProtocol]);
  let old: RedmineDoor;
  let port = 0;
  let outbound: Outbound;
  let checks: ReadonlyMap<string, ToolCheck>;
  let desk: RunningDesk;
  let portage: Portage;
  let partnerId = "";
  let deliveries: Deliveries;
  let simulations: Loop;
  beforeAll(async () => {
    old = await openRedmineDoor();
    port = await freePort();
    outbound = createOutbound({ allow: [old.host, `127.0.0.1:${port}`] });
    checks = createToolChecks(registry, outbound);
  });
  const api = useApi({
    registry,
    get toolChecks() {
      return checks;
    },
    get outbound() {
      return outbound;
    },
  });
  beforeAll(async () => {
    const origin = `http://127.0.0.1:${port}`;
    const { token, partner } = await api.partner({
      destinationTool: "destination-protocol",
      branding: mayEmbed ? { embedOrigins: [origin] } : {},
    });
    partnerId = partner.id;
    portage = createPortage({ url: api.origin, token, mode });
    const moving = {
      portage,
      webhookSecrets: [webhookSecret],
      ...(frames && { framed: "https://portage.example" }),
    };
    desk = await startDesk({ moving, mode, publicUrl: origin }, port);
    const { db, sealer } = api;
    const target = { url: `${origin}/webhooks/portage`, ordered: true, eventTypes: null };
    await saveTarget(db, sealer, partnerId, target, new Secret(webhookSecret));
    const log = createLog("silent");
    deliveries = startDeliveries({
      webhooks: createWebhooks({
        db,
        sealer,
        log,
        outbound,
        times: webhookTimes(0.01),
        perPartner: 16,
      }),
      // Overdue deliveries are retried without it.
      ingress: { sendDelivery: async () => {} },
      places: createSemaphore(16),
      log,
    });
    simulations = startSimulationsLoop({ simulations: createSimulations({ db, sealer }), log });
  });
  afterAll(async () => {
    await simulations.stop();
    await deliveries.stop();
    await desk.close();
    old.close();
  });

  /** Sends an event as the service does, or as an attacker with another secret. */
  const post = async (event: PortageEvent, secret = webhookSecret, sentAt = Date.now()) => {
    const content = JSON.stringify({ ...event, timestamp: sentAt });
    const timestampSeconds = Math.floor(sentAt / 1000);
    const { status } = await fetch(`${desk.pages}/webhooks/portage`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...signatureHeaders({ secrets: [secret], id: event.event_id, timestampSeconds, content }),
      },
      body: content,
    });
    return status;
  };
  return {
    get desk() {
      return desk;
    },
    get portage() {
      return portage;
    },
    post,
    /** Runs work while no webhook reaches the desk, and delivers the webhooks afterwards. */
    async unreached(work: () => Promise<void>) {
      await disableTarget(api.db, partnerId, "operator");
      try {
        await work();
      } finally {
        await enableTarget(api.db, partnerId, "operator");
      }
    },
    /** Waits until all webhooks have arrived. */
    async settled() {
      for (;;) {
        const { waiting, held } = await countOpen(api.db, partnerId);
        if (waiting + held === 0) return;
        await sleep(50);
      }
    },
    /** Portage's answer to a browser at one of its own pages. */
    page: (path: string) => fetch(`${api.origin}${path}`, { redirect: "manual" }),
    imports: () => portage.imports.list({ destination_username: "owner@desk.example" }).toArray(),
    /** The customer at the wizard. */
    customer: ({ id, token }: { readonly id: string; readonly token: string }) => {
      const ask = async (method: string, path: string, body: object = {}) => {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await send(api.origin, {
          method,
          path: `/wizard/api/imports/${id}${path}`,
          headers,
          body,
        });
        if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      };
      return {
        connectSource: () =>
          ask("PUT", "/connections/source", { settings: { instanceUrl: old.url, token: "right-key" } }),
        startSample: () => ask("POST", "/runs", { kind: "sample" }),
        askFull: () => ask("POST", "/ask-full"),
      };
    },
    /** Reports the end of a run in place of the engine, which does not run here. */
    endRun: (importId: string) =>
      moveImport(api.db, { type: "run_done" }, { importId, partnerId: null, actor: { kind: "system" } }),
  };
};
