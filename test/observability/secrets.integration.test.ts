import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertStaff, invite } from "../../server/src/features/staff/index.ts";
import { totpCode, totpStep } from "../../server/src/features/staff/totp.ts";
import { operatorBase } from "../../server/src/http/operator/base.ts";
import { newId } from "../../server/src/platform/ids.ts";
import { newWebhookSecret, saveTarget } from "../../server/src/features/webhooks/index.ts";
import { createSealer, type Sealer } from "../../server/src/platform/seal.ts";
import { createCustomerClient } from "../support/customer-client.ts";
import { until } from "../support/engine-fixture.ts";
import { freePort } from "../support/free-port.ts";
import { givenPartner } from "../support/fixtures.ts";
import { createPartnerClient } from "../support/partner-client.ts";
import { patienceMs } from "../support/patience.ts";
import { untilCompleted } from "../support/run-fixture.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { createObservedMove, type ObservedMove } from "./observed-move.ts";
import { type OtlpReceiver, startOtlpReceiver } from "./otlp-receiver.ts";

let move: ObservedMove;
let receiver: WebhookReceiver;
let collector: OtlpReceiver;
const smtpPassword = randomBytes(12).toString("hex");
const oidcSecret = randomBytes(12).toString("hex");
let operatorPort: number;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  collector = await startOtlpReceiver();
  operatorPort = await freePort();
  move = await createObservedMove(
    "secrets",
    {
      LOG_LEVEL: "trace",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SMTP_URL: `smtp://portage:${smtpPassword}@127.0.0.1:1`,
      MAIL_FROM: "moves@portage.example",
      OPERATOR_PORT: String(operatorPort),
      OPERATOR_OIDC_ISSUER: "http://127.0.0.1:1",
      OPERATOR_OIDC_CLIENT_ID: "portage",
      OPERATOR_OIDC_CLIENT_SECRET: oidcSecret,
      OPERATOR_OIDC_ROLES: "ops=operator",
    },
    [receiver.host],
  );
});
afterAll(async () => {
  await move.remove();
  await receiver.close();
  collector.close();
});

/** A person of the staff enrols, fails to sign in, and signs in; also by a provider that does not answer. */
const signInOfStaff = async (sealer: Sealer) => {
  const { db } = move.fixture.services;
  const id = newId("stf");
  const email = `${id}@acme.example`;
  const password = randomBytes(12).toString("hex");
  await insertStaff(db, id, { name: "Jo", email, role: "admin", break_glass: true });
  const { token } = await invite(db, sealer, id);
  const origin = `http://127.0.0.1:${operatorPort}`;
  const post = (path: string, body: object) =>
    fetch(`${origin}${operatorBase}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const opened = await post("/enrolment", { token: token.reveal() });
  const { totp } = (await opened.json()) as { totp: { secret: string } };
  const code = (off: number) => totpCode(totp.secret, totpStep(Date.now()) + off);
  const wrong = randomBytes(12).toString("hex");
  expect((await post("/sign-in/local", { email, password: wrong, code: code(0) })).status).toBe(401);
  const done = await post("/enrolment/complete", { token: token.reveal(), password, code: code(0) });
  expect(done.status).toBe(204);
  await db.pool.query("update staff_passwords set totp_step = 0");
  const again = await post("/sign-in/local", { email, password, code: code(0) });
  expect(again.status).toBe(204);
  const cookie = again.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const session = await fetch(`${origin}${operatorBase}/session`, { headers: { cookie } });
  expect(session.status).toBe(200);
  const start = await fetch(`${origin}/console/oidc/start`, { redirect: "manual" });
  expect(start.headers.get("location")).toBe("/console/sign-in?problem=oidc_failed");
  return {
    "staff's password": password,
    "staff's wrong password": wrong,
    "staff's invitation": token.reveal(),
    "secret of the authenticator app": totp.secret,
    "staff's session": cookie.split("=")[1] ?? "",
    "secret of the provider's client": oidcSecret,
  };
};

test("no secret of a whole move is in a log, at any level, a metric or a trace", async () => {
  const { fixture, tool } = move;
  const { services } = fixture;
  const keys = services.env["PORTAGE_KEYS"] ?? "";
  const sealer = createSealer([{ id: "k1", key: Buffer.from(keys.slice(3), "base64") }]);
  const { partner, token } = await givenPartner(services.db, {
    destinationTool: "stand-in",
    payer: "partner",
  });
  const webhookSecret = newWebhookSecret();
  const target = { url: `${receiver.url}/hook?key=hook-key-1234`, eventTypes: null, ordered: true };
  await saveTarget(services.db, sealer, partner.id, target, webhookSecret);
  const client = createPartnerClient(fixture.api.url, token);
  const made = await client.createImport({ source_tool: "stand-in", family: "helpdesk", start_full: true });
  const customer = createCustomerClient(fixture.api.url, made);
  const [from, to] = [await tool.control.newAccount(), await tool.control.newAccount()];
  await customer.connect("source", { instanceUrl: tool.url, token: from.token });
  await customer.connect("destination", { instanceUrl: tool.url, token: to.token });
  await untilCompleted({ customer }, patienceMs);
  // Of someone else, or mistyped: a secret nevertheless.
  const wrong = `ptg_live_${randomBytes(20).toString("hex")}`;
  await fetch(`${fixture.api.url}/api/v2.1/imports/${made.id}`, {
    headers: { authorization: `Bearer ${wrong}` },
  });

  const staffSecrets = await signInOfStaff(sealer);

  await until("the webhook is delivered", async () => receiver.at("/hook?key=hook-key-1234").length > 0);

  const files = readdirSync(fixture.logs).filter((name) => name.endsWith(".log"));
  const texts = new Map(files.map((name) => [name, readFileSync(join(fixture.logs, name), "utf8")]));
  for (const url of [move.apiMetrics, move.workerMetrics])
    texts.set(url, await (await fetch(`${url}/metrics`)).text());
  await until("a page's spans have arrived", async () =>
    collector.spans().some(({ name }) => name === "page"),
  );
  texts.set("traces", collector.text());
  expect(files.toSorted()).toEqual(["api.log", "worker-1.log"]);
  for (const text of texts.values()) expect(text.length).toBeGreaterThan(1_000);

  const secrets = {
    "encryption key": keys.slice(3),
    "partner's token": token,
    "wrong token": wrong,
    "customer's link": made.token,
    "source's token": from.token,
    "destination's token": to.token,
    "webhook's secret": webhookSecret.reveal(),
    "key in the webhook's address": "hook-key-1234",
    "mail server's password": smtpPassword,
    ...staffSecrets,
  };
  const found: string[] = [];
  for (const [what, value] of Object.entries(secrets)) {
    expect(value.length, what).toBeGreaterThan(9);
    const forms = [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString("base64").replace(/=+$/, ""),
    ];
    for (const [where, text] of texts)
      if (forms.some((form) => text.includes(form))) found.push(`${what} in ${where}`);
  }
  expect(found).toEqual([]);
  // The search finds what is there.
  expect(texts.get("api.log")).toContain(partner.id);
  expect(texts.get("api.log")).toContain("break-glass account signed in");
  expect(texts.get("api.log")).toContain("identity provider unreachable");
});

test("every line says which process wrote it", () => {
  const [line = ""] = readFileSync(join(move.fixture.logs, "worker-1.log"), "utf8").split("\n");
  expect(JSON.parse(line)).toMatchObject({
    service: "portage worker",
    instance: expect.stringMatching(/:\d+$/) as string,
  });
});
