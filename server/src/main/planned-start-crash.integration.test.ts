import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../test/support/engine-fixture.ts";
import { type EngineProcesses, startEngineProcesses } from "../../../test/support/engine-processes.ts";
import { createFixture, type Fixture } from "../../../test/support/fixture.ts";
import { givenPartner } from "../../../test/support/fixtures.ts";
import { type MailServer, startMailServer } from "../../../test/support/mail-server.ts";
import { patienceMs } from "../../../test/support/patience.ts";
import { startStandInProcess, type StandInProcess } from "../../../test/support/stand-in-process.ts";
import { createCustomerApi, type CustomerApi } from "../../../test/wizard/customer-api.ts";
import { saveAddress } from "../features/mail/index.ts";
import { createSealer } from "../platform/seal.ts";

const undos: (() => unknown)[] = [];
const afterwards = (undo: () => unknown) => void undos.unshift(undo);
const none = { organizations: 0, contacts: 0, groups: 0, comments: 0, attachments: 0, articles: 0 };
let fixture: Fixture;
let engine: EngineProcesses;
let tool: StandInProcess;
let mail: MailServer;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "portage-planned-"));
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  mail = await startMailServer();
  afterwards(() => mail.close());
  tool = await startStandInProcess({
    counts: { ...none, users: 2, tickets: 12 },
    hostile: false,
    largeText: 0,
  });
  afterwards(() => tool.stop());
  fixture = await createFixture({ afterwards });
  const env = { MAIL_FROM: "moves@portage.example", SMTP_URL: `smtp://127.0.0.1:${mail.port}` };
  engine = await startEngineProcesses({ afterwards }, fixture, {
    workers: 2,
    toolHosts: [tool.host],
    env,
    folder,
  });
}, patienceMs);
afterAll(async () => {
  for (const undo of undos.splice(0)) await undo();
}, patienceMs);

const statusOf = async (made: CustomerApi) =>
  (await made.ask<{ status: { code: string } }>("GET", "")).status.code;
const reaches = (made: CustomerApi, code: string) =>
  until(`it is at ${code}`, async () => (await statusOf(made)) === code, patienceMs);

/** A sampled import whose customer is about to plan the start, with an address for mails. */
const prepared = async () => {
  const { token } = await givenPartner(fixture.db, {
    payer: "partner",
    destinationTool: "stand-in",
    name: "Acme Desk",
  });
  const made = await createCustomerApi(engine.apiUrl, token, { source_tool: "stand-in", family: "helpdesk" });
  const [id = "", key = ""] = (fixture.env["PORTAGE_KEYS"] ?? "").split(":");
  const sealer = createSealer([{ id, key: Buffer.from(key, "base64") }]);
  const email = `${made.id}@example.com`;
  await saveAddress(fixture.db, sealer, { importId: made.id, email, language: "en" });
  const accounts = { source: tool.account, destination: (await tool.control.newAccount()).account };
  for (const side of ["source", "destination"] as const) {
    const { token: sign } = await tool.control.newToken(accounts[side]);
    await made.ask("PUT", `/connections/${side}`, { settings: { instanceUrl: tool.url, token: sign } });
  }
  await made.ask("POST", "/runs", { kind: "sample" });
  await reaches(made, "sample_completed");
  await made.ask("POST", "/ask-full");
  await reaches(made, "in_preparation");
  return { made, email };
};

const one = async <T>(sql: string, id: string): Promise<T | undefined> =>
  (await fixture.db.pool.query<{ it: T }>(sql, [id])).rows[0]?.it;

/** When the processes die: each is a moment at which something is committed and the next step is not. */
const moments: Readonly<Record<string, (id: string) => Promise<boolean>>> = {
  "just before the time": async () => true,
  "once the start is due": async (id) =>
    (await one<string>("select state as it from scheduled_starts where import_id = $1", id)) !== "waiting",
  "once its effect is sent": async (id) =>
    (await one<boolean>(
      "select dispatched_at is not null as it from outbox where import_id = $1 and effect ->> 'planned' = 'true'",
      id,
    )) === true,
};

test.each(Object.keys(moments))(
  "a planned start and its mail happen once, although both workers and Restate are killed %s",
  async (moment) => {
    const { made, email } = await prepared();
    const inHalfAnHour = new Date(Date.now() + 30 * 60_000).toISOString().slice(0, 16);
    await made.ask("PUT", "/schedule", { local: inHalfAnHour, timeZone: "UTC" });
    const mails = () =>
      mail.received.filter(({ to, mail: { subject = "" } }) => to.includes(email) && /starts/i.test(subject));
    await until("the customer gets the mail that it starts soon", async () => mails().length > 0, patienceMs);
    // As if the half hour had passed.
    await fixture.db.pool.query(
      "update scheduled_starts set starts_at = now() + interval '2 seconds' where import_id = $1",
      [made.id],
    );
    await until(moment, () => moments[moment]?.(made.id) ?? Promise.resolve(true), patienceMs);
    await Promise.all([
      engine.replaceWorker(0, 4_000),
      engine.replaceWorker(1, 6_000),
      engine.restate.kill(),
    ]);
    await engine.restate.start();
    await reaches(made, "migration_completed");
    // A worker that comes back later finds nothing to start either.
    await engine.replaceWorker(0, 0);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(await statusOf(made)).toBe("migration_completed");
    const runs = await fixture.db.pool.query<{ kind: string; state: string }>(
      "select kind, state from runs where import_id = $1 order by number",
      [made.id],
    );
    expect(runs.rows).toEqual([
      { kind: "sample", state: "done" },
      { kind: "full", state: "done" },
    ]);
    expect(await one<string>("select state as it from scheduled_starts where import_id = $1", made.id)).toBe(
      undefined,
    );
    expect(mails()).toHaveLength(1);
    expect((await tool.control.stats()).duplicates).toBe(0);
  },
  patienceMs,
);
