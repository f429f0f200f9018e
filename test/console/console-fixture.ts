import { join } from "node:path";
import type { Connector, DestinationStream, Outcome } from "@portage/connector-kit";
import { redmine, requestTracker, zendesk } from "@portage/connectors";
import type { Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { saveBook, saveRules, sponsorRulesSchema } from "../../server/src/features/billing/index.ts";
import { createManual } from "../../server/src/features/payment-providers/index.ts";
import { createCheckDestination } from "../../server/src/features/connections/index.ts";
import {
  createImport,
  type ImportEvent,
  moveImport,
  reissueLink,
} from "../../server/src/features/imports/index.ts";
import {
  type AccountRole,
  insertStaff,
  invitationUrl,
  invite,
} from "../../server/src/features/staff/index.ts";
import { hashPassword } from "../../server/src/features/staff/password.ts";
import { savePassword } from "../../server/src/features/staff/store-passwords.ts";
import { newTotpSecret, totpCode, totpStep } from "../../server/src/features/staff/totp.ts";
import { createAccountSlots } from "../../server/src/features/tool-limits/index.ts";
import { createToolRegistry } from "../../server/src/features/tools/index.ts";
import {
  createWebhooks,
  setTarget,
  webhookTimes,
  writeTestEvent,
} from "../../server/src/features/webhooks/index.ts";
import { createOperatorApi } from "../../server/src/main/create-operator-api.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { createLog } from "../../server/src/platform/log.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import { plain } from "../runs/kinds-fixture.ts";
import { createRunsFixture, openEnd } from "../runs/runs-fixture.ts";
import { aBook } from "../support/given-offer.ts";
import { givenPartner, testSealer, testSigner } from "../support/fixtures.ts";
import { givenCheckout, givenQuote } from "../stripe/given-checkout.ts";
import { freePort } from "../support/free-port.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { type StandIn, startStandIn } from "../tools/stand-in/stand-in.ts";
import { type OpenOptions, useBrowser } from "../wizard/browser.ts";

/** The same tool, which refuses all tickets until it is mended. */
const refusing = () => {
  const connector = plain();
  const state = { mended: false };
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream => ({
      ...stream,
      write: async (io, batch) =>
        state.mended || stream.stream.name !== "tickets"
          ? stream.write(io, batch)
          : batch.map(
              (): Outcome<never> => ({
                kind: "rejected",
                code: "forbidden",
                message: "The tool did not like it.",
              }),
            ),
    }),
  );
  const changed: Connector = { ...connector, destination: { helpdesk: streams } };
  return { connector: changed, mend: () => void (state.mended = true) };
};

const connected: readonly ImportEvent[] = [
  { type: "connected", side: "source" },
  { type: "connected", side: "destination" },
];
const sampled: readonly ImportEvent[] = [...connected, { type: "sample_started" }, { type: "run_done" }];

/** A few imports at rest, by what happened to them. */
const resting: readonly (readonly ImportEvent[])[] = [
  [],
  connected,
  sampled,
  [...sampled, { type: "full_asked", payer: "partner_decides" }],
  [{ type: "cancelled" }],
];

const counts = { users: 5, contacts: 20, tickets: 150, comments: 60 };

/** An import whose destination refuses one ticket after another: its run rests until a person lets it go on. */
export interface StuckImport {
  readonly id: string;
  readonly reference: string;
  mend(): void;
  /** Does the work that the worker would do now. */
  work(): Promise<void>;
}

const password = "correct horse battery";

/** The code of the next half minute, which is accepted a little before and after. */
export const codeOf = (totpSecret: string): string => totpCode(totpSecret, totpStep(Date.now()) + 1);

export interface ConsolePerson {
  readonly id: string;
  readonly email: string;
  readonly totpSecret: string;
}

/** The operator's console on a database with partners, imports, runs and webhooks; one for all tests of a file. */
export const useConsole = () => {
  let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
  let api: ReturnType<typeof createOperatorApi>;
  let receiver: WebhookReceiver;
  let outbound: Outbound;
  let origin = "";
  let hash = "";
  const tools: StandIn[] = [];
  const sealer = testSealer();
  const sides = new Map<string, ReturnType<typeof openEnd>>();
  const browser = useBrowser();

  const fill = async (registry: ReturnType<typeof createToolRegistry>) => {
    const { db } = fixture;
    const { partner } = await givenPartner(db, {
      name: "Acme Desk",
      branding: { color: "#7a1fa2", helpUrl: "https://help.acme.example" },
    });
    const create = createImport({
      db,
      sealer,
      registry,
      checkDestination: createCheckDestination(registry, new Map()),
    });
    for (const [index, events] of resting.entries()) {
      const made = await create(partner, {
        source_tool: "request-tracker",
        reference: `ws_acme_${index}`,
        destination_username: `jo${index}@acme.example`,
      });
      if (made.kind !== "created") throw new Error("not created");
      for (const event of events)
        await moveImport(db, event, { importId: made.id, partnerId: null, actor: { kind: "system" } });
    }
    await db.pool.query("update outbox set dispatched_at = now()");
    await setTarget({ db, sealer }, partner.id, { kind: "checked", url: "http://127.0.0.1:9/hooks" }, {});
    await writeTestEvent(db, partner.id);
    await saveBook(db, { partnerId: null, book: aBook, by: "test" });
    await saveRules(
      db,
      partner.id,
      sponsorRulesSchema.parse({
        currency: "usd",
        monthlyBudget: 500_000,
        rules: [{ name: "small ones", upToRecords: 1_000 }],
      }),
    );
    return partner.id;
  };
  let partnerId = "";

  beforeAll(async () => {
    fixture = await createRunsFixture({ sealer });
    hash = await hashPassword(new Secret(password));
    receiver = await startWebhookReceiver();
    outbound = createOutbound({ allow: [receiver.host] });
    const registry = createToolRegistry([redmine, requestTracker, zendesk]);
    const port = await freePort();
    // By its name: browsers have passkeys for names alone.
    origin = `http://localhost:${port}`;
    api = createOperatorApi({
      db: fixture.db,
      sealer,
      registry,
      signer: testSigner(),
      log: createLog("silent"),
      publicUrl: "https://portage.example",
      operatorUrl: origin,
      oidc: {
        label: "Acme ID",
        begin: () => Promise.reject(new Error("No test leaves for the provider.")),
        finish: () => Promise.reject(new Error("No test comes back from it.")),
      },
      webFolder: join(import.meta.dirname, "../../web/dist"),
      webhookAllow: ["127.0.0.1:9", receiver.host],
      signInFailuresPerMinute: 1_000_000,
      requestTimeoutMs: 30_000,
      trustedProxies: [],
      openSide: async ({ importId, side }) => sides.get(`${importId}/${side}`) ?? { kind: "missing" },
      destinationStreams: async ({ connector }, family) => connector.destination?.[family] ?? [],
    });
    await api.app.listen({ host: "127.0.0.1", port });
    partnerId = await fill(registry);
  });
  afterAll(async () => {
    await api.app.close();
    await outbound.close();
    await receiver.close();
    await Promise.all(tools.map((tool) => tool.close()));
    await fixture.drop();
  });

  /** A person without any way to sign in yet. */
  const newPerson = async (role: AccountRole) => {
    const id = newId("stf");
    const email = `${id}@acme.example`;
    const partner = role === "partner" ? partnerId : null;
    await insertStaff(fixture.db, id, { name: `Jo ${role}`, email, role, partner_id: partner });
    return { id, email };
  };

  const person = async (role: AccountRole): Promise<ConsolePerson> => {
    const made = await newPerson(role);
    const totpSecret = newTotpSecret();
    await savePassword(fixture.db, sealer, { staffId: made.id, totpSecret, hash, step: 0 });
    return { ...made, totpSecret };
  };

  const signIn = async (page: Page, { id, email, totpSecret }: ConsolePerson) => {
    // A code is accepted once; this person signs in more than once in half a minute.
    await fixture.db.pool.query("update staff_passwords set totp_step = 0 where staff_id = $1", [id]);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByLabel("Code").fill(codeOf(totpSecret));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };

  return {
    get origin() {
      return origin;
    },
    password,
    get receiver() {
      return receiver;
    },
    /** Sends what is due, as workers do. */
    deliver: async () => {
      const times = webhookTimes(0.01);
      const webhooks = createWebhooks({
        db: fixture.db,
        sealer,
        outbound,
        log: createLog("silent"),
        times,
        perPartner: 16,
      });
      for (let taken = await webhooks.takeDue(100); taken.length > 0; taken = await webhooks.takeDue(100))
        await Promise.all(taken.map((each) => webhooks.deliver(each)));
    },
    /** The address of a new person's invitation. */
    invitation: async (role: AccountRole) => {
      const { token } = await invite(fixture.db, sealer, (await newPerson(role)).id);
      return invitationUrl(origin, token);
    },
    get partnerId() {
      return partnerId;
    },
    get db() {
      return fixture.db;
    },
    browser,
    person,
    signIn,
    /** Opens an address of the console as a new person of this role, who signs in first. */
    open: async (role: AccountRole, path: string, options: OpenOptions = {}) => {
      const opened = await browser.open(options);
      await opened.page.goto(`${origin}/console${path}`);
      await signIn(opened.page, await person(role));
      await opened.page.getByRole("navigation", { name: "Console" }).waitFor();
      return opened;
    },
    /** An account of Redmine that a worker has used. */
    givenAccount: async () => {
      const slots = createAccountSlots({
        db: fixture.db,
        onProblem: (error) => {
          throw error;
        },
      });
      const limiter = slots.limiterFor({
        tool: "redmine",
        instance: "acme.example",
        accountId: "acme.example/7",
        side: "source",
        runId: "run",
        limits: [{ requests: 600, perMs: 60_000 }],
        concurrency: 1,
      });
      (await limiter.take({ kind: "read" }, AbortSignal.timeout(30_000))).release();
      await slots.close();
    },
    /** An import whose customer has asked for an invoice. */
    givenOrder: async (): Promise<string> => {
      const quoted = await givenQuote(fixture.db, sealer);
      await reissueLink(fixture.db, sealer, quoted.importId);
      await givenCheckout(fixture.db, createManual(), quoted);
      return quoted.importId;
    },
    givenStuck: async (reference: string): Promise<StuckImport> => {
      const source = await startStandIn({ counts, hostile: false, largeText: 100 });
      const destination = await startStandIn({ seed: "destination", upserts: false });
      tools.push(source, destination);
      const { connector, mend } = refusing();
      const ends = {
        source: { connector: plain() as never, tool: source },
        destination: { connector: connector as never, tool: destination },
      };
      const one = await fixture.begin(ends.source, ends.destination);
      sides.set(`${one.importId}/destination`, openEnd(ends.destination));
      await one.run({ type: "full_started" });
      await fixture.db.pool.query("update imports set reference = $2 where id = $1", [
        one.importId,
        reference,
      ]);
      await fixture.db.pool.query("update audit set at = at - interval '3 hours' where import_id = $1", [
        one.importId,
      ]);
      return { id: one.importId, reference, mend, work: async () => one.work(await one.dispatch()) };
    },
  };
};
