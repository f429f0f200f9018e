import type { EventType } from "@portage/contract";
import { afterAll, afterEach, beforeAll } from "vitest";
import { createImport, type ImportEvent, moveImport } from "../../server/src/features/imports/index.ts";
import {
  createWebhooks,
  listDeliveries,
  newWebhookSecret,
  saveTarget,
  type Taken,
  webhookTimes,
} from "../../server/src/features/webhooks/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { givenPartner, testRegistry, testSealer } from "./fixtures.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

type Options = Partial<Parameters<typeof createWebhooks>[0]>;

interface TargetOptions {
  readonly path?: string;
  readonly url?: string;
  readonly secret?: string;
  readonly ordered?: boolean;
  readonly eventTypes?: readonly EventType[];
}

/** A database, a receiver, and webhooks without an engine: each test takes due deliveries itself. */
export const useWebhookFixture = () => {
  const sealer = testSealer();
  const lines: string[] = [];
  const log = createLog("debug", { write: (line) => void lines.push(line) });
  let db: TestDatabase;
  let receiver: WebhookReceiver;
  let outbound: Outbound;
  beforeAll(async () => {
    [db, receiver] = await Promise.all([createTestDatabase(), startWebhookReceiver()]);
    outbound = createOutbound({ allow: [receiver.host] });
  });
  afterEach(() => receiver.answer(() => ({ status: 200 })));
  afterAll(async () => {
    await outbound.close();
    await receiver.close();
    await db.drop();
  });

  const webhooks = (options: Options = {}) =>
    createWebhooks({ db, sealer, outbound, log, times: webhookTimes(0.01), perPartner: 16, ...options });
  let partners = 0;

  return {
    sealer,
    lines,
    log,
    get db() {
      return db;
    },
    get receiver() {
      return receiver;
    },
    webhooks,
    /** A partner with its own address at the receiver. */
    async partner({ path, url, secret, ordered = true, eventTypes }: TargetOptions = {}) {
      const { partner, token } = await givenPartner(db);
      partners += 1;
      const at = path ?? `/partner-${partners}`;
      const used = secret === undefined ? newWebhookSecret() : new Secret(secret);
      await saveTarget(
        db,
        sealer,
        partner.id,
        { url: url ?? `${receiver.url}${at}`, ordered, eventTypes: eventTypes ?? null },
        used,
      );
      return { partner, token, path: at, secret: used.reveal(), got: () => receiver.at(at) };
    },
    async newImport(of: { readonly partner: Parameters<ReturnType<typeof createImport>>[0] }) {
      const made = await createImport({
        db,
        sealer,
        registry: testRegistry(),
        checkDestination: async () => ({ kind: "not_all_given" }),
      })(of.partner, { source_tool: "request-tracker", family: "helpdesk" });
      if (made.kind === "invalid") throw new Error(JSON.stringify(made.errors));
      return { id: made.id, token: made.linkToken.reveal() };
    },
    async move(importId: string, ...events: readonly ImportEvent[]) {
      for (const event of events) {
        const moved = await moveImport(db, event, { importId, partnerId: null, actor: { kind: "system" } });
        if (moved.kind !== "moved") throw new Error(`${event.type}: ${moved.kind}`);
      }
    },
    /** Takes and delivers until nothing is due. */
    async drive(by = webhooks()) {
      const all: Taken[] = [];
      for (let taken = await by.takeDue(100); taken.length > 0; taken = await by.takeDue(100)) {
        await Promise.all(taken.map((each) => by.deliver(each)));
        all.push(...taken);
      }
      return all;
    },
    /** Makes all deliveries due. */
    hurry: (partnerId: string) =>
      db.pool.query(
        `update webhook_deliveries set due_at = now(), next_attempt_at = now()
         where partner_id = $1 and state in ('waiting', 'sending')`,
        [partnerId],
      ),
    deliveries: (partnerId: string) =>
      listDeliveries(db, partnerId, { after: null, limit: 100, eventId: null }),
  };
};

/** From creation to a completed sample: three status changes. */
export const toSample: readonly ImportEvent[] = [
  { type: "connected", side: "source" },
  { type: "connected", side: "destination" },
  { type: "sample_started" },
  { type: "run_done" },
];
