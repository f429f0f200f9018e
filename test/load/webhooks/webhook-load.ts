import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeNotice } from "../../../server/src/features/event-outbox/index.ts";
import { newWebhookSecret, saveTarget } from "../../../server/src/features/webhooks/index.ts";
import type { Database } from "../../../server/src/platform/db.ts";
import type { Sealer } from "../../../server/src/platform/seal.ts";
import type { Fixture, MadeImport } from "../../support/fixture.ts";
import { createPartners } from "../../support/partners.ts";
import { freePort } from "../../support/free-port.ts";
import type { Proof } from "../../support/proof.ts";
import type { Kind, Order, Receipt, ReceiverMessage } from "./receivers.ts";

export interface Receivers {
  readonly ports: readonly number[];
  readonly pid: number;
  count(): Promise<{ readonly count: number; readonly firstAt: number; readonly lastAt: number }>;
  /** All receipts since the last call. */
  receipts(): Promise<readonly Receipt[]>;
}

const ask = async (child: ChildProcess, order: Order): Promise<ReceiverMessage> => {
  child.send(order);
  const [message] = (await once(child, "message")) as [ReceiverMessage];
  return message;
};

export const startReceivers = async (
  proof: Pick<Proof, "afterwards">,
  kinds: readonly Kind[],
): Promise<Receivers> => {
  const child = fork(join(import.meta.dirname, "receivers.ts"));
  proof.afterwards(() => child.kill("SIGKILL"));
  const { ports } = (await ask(child, { start: kinds })) as Extract<ReceiverMessage, { ports: unknown }>;
  return {
    ports,
    pid: child.pid ?? 0,
    count: async () => (await ask(child, { count: true })) as Extract<ReceiverMessage, { count: unknown }>,
    receipts: async () =>
      ((await ask(child, { receipts: true })) as Extract<ReceiverMessage, { receipts: unknown }>).receipts,
  };
};

export interface LoadPartner {
  readonly kind: Kind | "absent";
  readonly id: string;
  readonly imports: readonly MadeImport[];
}

/** Partners with webhook targets and imports; the target of an absent partner has a port without a listener. */
export const makePartners = async (
  fixture: Fixture,
  sealer: Sealer,
  wanted: readonly { readonly kind: LoadPartner["kind"]; readonly port: number | undefined }[],
  importsEach: number,
): Promise<readonly LoadPartner[]> => {
  const partners = await createPartners(fixture.db, wanted.length);
  const made: LoadPartner[] = [];
  for (const [index, { id }] of partners.entries()) {
    const { kind, port } = wanted[index] ?? { kind: "absent", port: undefined };
    const url = `http://127.0.0.1:${port ?? (await freePort())}/hook`;
    await saveTarget(fixture.db, sealer, id, { url, eventTypes: null, ordered: true }, newWebhookSecret());
    const imports: MadeImport[] = [];
    for (let i = 0; i < importsEach; i++) imports.push(await fixture.createImport(id));
    made.push({ kind, id, imports });
  }
  return made;
};

/** One event of an import, written like a status change: under the import's lock, with its delivery. */
export const writeEvent = (db: Database, { id, partnerId }: MadeImport): Promise<string> =>
  db.sql.transaction().execute(async (tx) => {
    await tx
      .selectNoFrom(({ fn, val }) =>
        fn("pg_advisory_xact_lock", [fn("hashtextextended", [val(id), val(0)])]).as("locked"),
      )
      .execute();
    return writeNotice(tx, {
      partnerId,
      importId: id,
      type: "import.status_changed",
      status: "waiting_for_sample",
      previousStatus: "collecting_credentials",
    });
  });

/** Waits until the receivers have this many requests. */
export const untilReceived = async (
  receivers: Receivers,
  wanted: number,
  maxMs: number,
): Promise<{ readonly firstAt: number; readonly lastAt: number }> => {
  const giveUpAt = performance.now() + maxMs;
  for (;;) {
    const counted = await receivers.count();
    if (counted.count >= wanted) return counted;
    if (performance.now() > giveUpAt) throw new Error(`${counted.count} of ${wanted} came in ${maxMs} ms.`);
    await sleep(50);
  }
};
