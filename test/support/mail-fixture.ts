import { destinationProtocol, redmine, requestTracker } from "@portage/connectors";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { createImport, type ImportEvent, moveImport } from "../../server/src/features/imports/index.ts";
import {
  createMailSender,
  createSmtp,
  saveAddress,
  type SmtpServer,
} from "../../server/src/features/mail/index.ts";
import type { PartnerSettings } from "../../server/src/features/partners/index.ts";
import { createToolRegistry, labelFor } from "../../server/src/features/tools/index.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { givenPartner, testSealer } from "./fixtures.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";

const connected: readonly ImportEvent[] = [
  { type: "connected", side: "source" },
  { type: "connected", side: "destination" },
];

/** A database, a mail server for each test, and imports whose customers want mail. */
export const useMailFixture = () => {
  const email = "alice.customer@example.com";
  const sealer = testSealer();
  const registry = createToolRegistry([redmine, requestTracker, destinationProtocol]);
  let db: TestDatabase;
  let server: MailServer;
  const lines: string[] = [];
  const others: MailServer[] = [];
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());
  beforeEach(async () => {
    await db.pool.query("truncate mails");
    lines.length = 0;
    server = await startMailServer();
  });
  afterEach(() => Promise.all([server, ...others.splice(0)].map((each) => each.close())));

  const move = async (importId: string, ...events: readonly ImportEvent[]) => {
    for (const event of events) {
      const moved = await moveImport(db, event, { importId, partnerId: null, actor: { kind: "system" } });
      expect([event.type, moved.kind]).toEqual([event.type, "moved"]);
    }
  };
  /** An import with an address and a running sample. */
  const givenSampling = async (settings: Partial<PartnerSettings> = {}) => {
    const { partner } = await givenPartner(db, settings);
    const create = createImport({
      db,
      sealer,
      registry,
      checkDestination: async () => ({ kind: "not_all_given" }),
    });
    const made = await create(partner, { source_tool: "request-tracker" });
    if (made.kind !== "created") throw new Error(made.kind);
    await saveAddress(db, sealer, { importId: made.id, email, language: "en" });
    await move(made.id, ...connected, { type: "sample_started" });
    return made.id;
  };
  return {
    email,
    lines,
    move,
    givenSampling,
    get db() {
      return db;
    },
    get server() {
      return server;
    },
    /** Another mail server, until the end of the test. */
    another: async (...options: Parameters<typeof startMailServer>) => {
      const started = await startMailServer(...options);
      others.push(started);
      return started;
    },
    /** `before` runs when a mail is about to be handed to the server. */
    senderTo: (port: number, more: Partial<SmtpServer> = {}, before = async () => {}) => {
      const smtp = createSmtp({
        host: "127.0.0.1",
        port,
        secure: false,
        requireTls: false,
        auth: null,
        ...more,
      });
      return createMailSender({
        db,
        sealer,
        from: "moves@portage.example",
        publicUrl: "https://portage.example",
        log: createLog("debug", { write: (line) => void lines.push(line) }),
        send: async (message) => {
          await before();
          return smtp(message);
        },
        labelOf: (tool, partnerName) =>
          tool === "request-tracker"
            ? "Request <b>Tracker</b>\r\nBcc: eve@example.com"
            : labelFor(registry, tool, partnerName),
      });
    },
    /** An import with a completed sample, so that a mail is due. */
    givenMail: async (settings?: Partial<PartnerSettings>) => {
      const id = await givenSampling(settings);
      await move(id, { type: "run_done" });
      return id;
    },
    /** The customer gives another address, in the wizard without a link of its own. */
    moveTo: (importId: string, to: string) =>
      saveAddress(db, sealer, { importId, email: to, language: "en" }),
    /** The rows of an import's mails. */
    kept: async (importId: string) => {
      const { rows } = await db.pool.query<{ id: string; state: string; attempts: number; late: number }>(
        `select id, state, attempts, extract(epoch from next_attempt_at - now())::float8 as late from mails
         where import_id = $1 order by id`,
        [importId],
      );
      return rows;
    },
    makeDue: () => db.pool.query("update mails set next_attempt_at = now() where state = 'waiting'"),
  };
};
