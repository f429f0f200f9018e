import type { CreatedImport, WebhookEndpoint } from "@portage/contract";
import { expect, test } from "vitest";
import { disableTarget } from "../../server/src/features/webhooks/index.ts";
import { openSecrets } from "../../server/src/features/webhooks/store-targets.ts";
import { created, live, sandbox, useApi } from "./api.ts";

const api = useApi();
// A public address as a number, so that the check needs no DNS.
const url = "https://93.184.215.14/webhooks";
type Shown = WebhookEndpoint & { readonly secret?: string };

const begin = async () => {
  const { token, partner } = await api.partner();
  const ask = async (method: string, path: string, body?: object, base = live) => {
    const { status, json } = await api.ask({ method, path: `${base}${path}`, token, ...(body && { body }) });
    return { status, json: json as Shown & { readonly event_id: string } };
  };
  return { partner, token, ask };
};

/** The secrets that sign now, an old one first. */
const signing = async (partnerId: string): Promise<readonly string[]> => {
  const { rows } = await api.db.pool.query<Parameters<typeof openSecrets>[1]>(
    `select partner_id as "partnerId", secret, old_secret as "oldSecret", old_secret_until > now() as overlaps
     from webhook_targets where partner_id = $1`,
    [partnerId],
  );
  const [row] = rows;
  if (!row) throw new Error("The partner has no endpoint.");
  return openSecrets(api.sealer, row).map((secret) => secret.reveal());
};

test("a new endpoint gets a secret, shown once; what is left out stays", async () => {
  const { ask, partner } = await begin();
  expect((await ask("GET", "/webhook-endpoint")).status).toBe(404);
  const made = await ask("POST", "/webhook-endpoint", { url, ordered: false });
  expect(made).toMatchObject({
    status: 200,
    json: { url, ordered: false, event_types: null, progress: false, enabled: true },
  });
  expect(made.json.secret).toMatch(/^whsec_/);
  expect(await signing(partner.id)).toEqual([made.json.secret]);
  const changed = await ask("POST", "/webhook-endpoint", { event_types: ["import.closed"] });
  expect(changed.json).toMatchObject({ url, ordered: false, event_types: ["import.closed"] });
  expect(changed.json.secret).toBeUndefined();
  expect((await ask("POST", "/webhook-endpoint", { progress: true })).json.progress).toBe(true);
  const kept = await ask("POST", "/webhook-endpoint", { ordered: false });
  expect(kept.json).toEqual({ ...changed.json, progress: true });
  expect((await ask("POST", "/webhook-endpoint", { progress: false })).json).toEqual(changed.json);
  const shown = await ask("GET", "/webhook-endpoint");
  expect(shown.json).toEqual(changed.json);
  expect(JSON.stringify(shown.json)).not.toContain("whsec_");
});

test("null is left out, but for the types of events, where it means all", async () => {
  const { ask } = await begin();
  await ask("POST", "/webhook-endpoint", {
    url,
    ordered: false,
    progress: true,
    event_types: ["import.closed"],
  });
  const before = (await ask("GET", "/webhook-endpoint")).json;
  const nulls = { url: null, ordered: null, progress: null };
  expect(await ask("POST", "/webhook-endpoint", nulls)).toEqual({ status: 200, json: before });
  const all = await ask("POST", "/webhook-endpoint", { ...nulls, event_types: null });
  expect(all.json).toEqual({ ...before, event_types: null });
  expect((await ask("POST", "/webhook-endpoint/rotate", { immediately: null })).status).toBe(200);
  const first = await begin();
  expect(await first.ask("POST", "/webhook-endpoint", { url: null })).toEqual({
    status: 422,
    json: { url: ["can't be blank"] },
  });
  const played = await ask("POST", "/webhook-endpoint", nulls, sandbox);
  expect(played).toMatchObject({ status: 200, json: { ordered: true, progress: false } });
  expect((await ask("POST", "/webhook-endpoint/rotate", { immediately: null }, sandbox)).status).toBe(200);
});

const uncallable = "must be an https:// address with a host, without a user name or password";

test.each([
  ["nothing", {}, { url: ["can't be blank"] }],
  ["an address without TLS", { url: "http://93.184.215.14/" }, { url: ["must begin with https://"] }],
  ["a private address", { url: "https://10.0.0.7/" }, { url: ["is not a public address"] }],
  ["this machine", { url: "https://127.0.0.1/" }, { url: ["is not a public address"] }],
  ["no address at all", { url: "acme" }, { url: [uncallable] }],
  ["another scheme", { url: "ftp://93.184.215.14/" }, { url: [uncallable] }],
  ["a password", { url: "https://jo:pw@93.184.215.14/" }, { url: [uncallable] }],
  ["no port", { url: "https://93.184.215.14:0/" }, { url: [uncallable] }],
  ["another type", { url: 7 }, { url: ["must be a text"] }],
  ["another wish for progress", { url, progress: "yes" }, { progress: ["must be true or false"] }],
  ["no events", { url, event_types: [] }, { event_types: ["must name an event; null means all"] }],
  [
    "unknown events",
    { url, event_types: ["x"] },
    { event_types: [expect.stringContaining("import.closed")] },
  ],
])("refuses %s, and stores nothing", async (_, body, errors) => {
  const { ask } = await begin();
  expect(await ask("POST", "/webhook-endpoint", body)).toEqual({ status: 422, json: errors });
  expect((await ask("GET", "/webhook-endpoint")).status).toBe(404);
});

test("requests at the same time make one endpoint with one secret, and each keeps what the others set", async () => {
  const { ask, partner } = await begin();
  const made = await Promise.all(Array.from({ length: 5 }, () => ask("POST", "/webhook-endpoint", { url })));
  const secrets = made.flatMap(({ json }) => (json.secret === undefined ? [] : [json.secret]));
  expect(secrets).toHaveLength(1);
  expect(await signing(partner.id)).toEqual(secrets);
  await Promise.all([
    ask("POST", "/webhook-endpoint", { ordered: false }),
    ask("POST", "/webhook-endpoint", { event_types: ["import.closed"] }),
    ask("POST", "/webhook-endpoint", { url: `${url}/2` }),
  ]);
  expect((await ask("GET", "/webhook-endpoint")).json).toMatchObject({
    url: `${url}/2`,
    ordered: false,
    event_types: ["import.closed"],
  });
});

test("a new address begins without the failures of the old one", async () => {
  const { ask, partner } = await begin();
  await ask("POST", "/webhook-endpoint", { url });
  await api.db.pool.query(
    "update webhook_targets set failing_since = now() - interval '4 days' where partner_id = $1",
    [partner.id],
  );
  const same = await ask("POST", "/webhook-endpoint", { url, ordered: false });
  expect(same.json.failing_since).not.toBeNull();
  const other = await ask("POST", "/webhook-endpoint", { url: `${url}/repaired` });
  expect(other.json.failing_since).toBeNull();
});

test("a rotation keeps the old secret for a day, or ends it at once", async () => {
  const { ask, partner } = await begin();
  expect((await ask("POST", "/webhook-endpoint/rotate", {})).status).toBe(404);
  const first = (await ask("POST", "/webhook-endpoint", { url })).json.secret;
  const second = (await ask("POST", "/webhook-endpoint/rotate", {})).json;
  expect(second.secret).not.toBe(first);
  expect(Date.parse(second.old_secret_until ?? "")).toBeGreaterThan(Date.now());
  expect(await signing(partner.id)).toEqual([first, second.secret]);
  await api.db.pool.query("update webhook_targets set old_secret_until = now() where partner_id = $1", [
    partner.id,
  ]);
  expect((await ask("GET", "/webhook-endpoint")).json.old_secret_until).toBeNull();
  await api.db.pool.query(
    "update webhook_targets set old_secret_until = now() + interval '1 hour' where partner_id = $1",
    [partner.id],
  );
  expect((await ask("POST", "/webhook-endpoint/rotate", {})).status).toBe(422);
  const third = (await ask("POST", "/webhook-endpoint/rotate", { immediately: true })).json;
  expect(third.old_secret_until).toBeNull();
  expect(await signing(partner.id)).toEqual([third.secret]);
});

test.each([live, sandbox, "/api/simulator"])(
  "%s: a rotation needs no body, but refuses a wrong one",
  async (base) => {
    const { ask, token } = await begin();
    await ask("POST", "/webhook-endpoint", { url });
    const path = `${base}/webhook-endpoint/rotate`;
    expect((await ask("POST", "/webhook-endpoint/rotate", undefined, base)).json.secret).toMatch(/^whsec_/);
    expect((await ask("POST", "/webhook-endpoint/rotate", { immediately: "yes" }, base)).status).toBe(422);
    for (const wrong of ["immediately", "[]"])
      expect((await api.ask({ method: "POST", path, token, body: wrong })).status).toBe(400);
    // Elsewhere an empty body is a mistake.
    expect((await ask("POST", "/webhook-endpoint", undefined, base)).status).toBe(400);
  },
);

test("a test event goes only to an enabled endpoint; a partner enables what the operator did not disable", async () => {
  const { ask, partner, token } = await begin();
  expect((await ask("POST", "/webhook-endpoint/test")).status).toBe(404);
  expect((await ask("POST", "/webhook-endpoint/enable")).status).toBe(404);
  await ask("POST", "/webhook-endpoint", { url });
  const { event_id } = (await ask("POST", "/webhook-endpoint/test")).json;
  const { json } = await api.ask({ path: `${live}/webhook-deliveries?event_id=${event_id}`, token });
  expect(json).toMatchObject([{ event_id, type: "webhook.test", state: "waiting" }]);
  const disable = (because: string) =>
    api.db.pool.query(
      "update webhook_targets set disabled_at = now(), disabled_because = $2 where partner_id = $1",
      [partner.id, because],
    );
  await disable("no_success");
  expect(await ask("POST", "/webhook-endpoint/test")).toMatchObject({
    status: 422,
    json: { base: [expect.stringContaining("nothing reached it for five days")] },
  });
  expect((await ask("GET", "/webhook-endpoint")).json).toMatchObject({ enabled: false });
  expect((await ask("POST", "/webhook-endpoint/enable")).json).toMatchObject({ enabled: true });
  // The operator's word also counts for an endpoint that was disabled already.
  await disable("gone");
  await disableTarget(api.db, partner.id, "operator");
  expect((await ask("POST", "/webhook-endpoint/enable")).status).toBe(422);
  expect((await ask("GET", "/webhook-endpoint")).json).toMatchObject({ enabled: false });
});

test("a new link replaces the old one, of the partner's own open imports", async () => {
  const { ask, token } = await begin();
  const made = await created(api, token);
  const again = (await ask("POST", `/imports/${made.id}/link`)).json as unknown as CreatedImport;
  expect(again).toMatchObject({ id: made.id, redirect_url: expect.stringContaining(again.token) });
  expect(again.token).not.toBe(made.token);
  expect((await ask("GET", `/imports/${made.id}`)).json).toMatchObject({ token: again.token });
  const other = await begin();
  expect((await other.ask("POST", `/imports/${made.id}/link`)).status).toBe(404);
  await ask("POST", `/imports/${made.id}/cancel`);
  expect((await ask("POST", `/imports/${made.id}/link`)).status).toBe(404);
});

test("the sandbox answers alike, and stores nothing", async () => {
  const { ask } = await begin();
  expect((await ask("POST", "/webhook-endpoint", { url: 7 }, sandbox)).status).toBe(422);
  for (const refused of ["http://93.184.215.14/", "https://10.0.0.7/", "acme"]) {
    const answers = [live, sandbox].map((base) => ask("POST", "/webhook-endpoint", { url: refused }, base));
    const [real, played] = await Promise.all(answers);
    expect(real?.status).toBe(422);
    expect(played).toEqual(real);
  }
  expect((await ask("POST", "/webhook-endpoint", { url }, sandbox)).json).toMatchObject({ url });
  for (const path of ["test", "rotate", "enable"])
    expect((await ask("POST", `/webhook-endpoint/${path}`, {}, sandbox)).status).toBe(200);
  expect((await ask("POST", "/imports/sample_completed/link", {}, sandbox)).status).toBe(200);
  expect((await ask("GET", "/webhook-endpoint")).status).toBe(404);
});
