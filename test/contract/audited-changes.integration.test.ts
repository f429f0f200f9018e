import { describe, expect, test } from "vitest";
import type { CreatedImport, WebhookEndpoint } from "@portage/contract";
import { disableTarget } from "../../server/src/features/webhooks/index.ts";
import { created, live, sandbox, useApi } from "./api.ts";

// What a partner changes with an API token is in the operator's audit log, as what the staff changes is.

const api = useApi();
// A public address as a number, so that the check needs no DNS.
const url = "https://93.184.215.14/webhooks";

const begin = async () => {
  const { token, tokenId, partner } = await api.partner();
  const post = (path: string, body?: object, base = live) =>
    api.ask({ method: "POST", path: `${base}${path}`, token, ...(body && { body }) });
  return { token, tokenId, partnerId: partner.id, post };
};

const endpointSet = async () => {
  const acme = await begin();
  await acme.post("/webhook-endpoint", { url });
  return acme;
};

const entriesOf = async (requestId: unknown) =>
  (
    await api.db.pool.query<{ before: object | null; after: object | null }>(
      "select * from staff_audit where request_id = $1",
      [requestId],
    )
  ).rows;

const countEntries = async () => (await api.db.pool.query("select from staff_audit")).rowCount;

/** Of everything that a call of this kind changes. */
const everything = async () =>
  (
    await api.db.pool.query(
      `select (select md5(string_agg(t::text, ',' order by t::text)) from webhook_targets t) as targets,
         (select md5(string_agg(i::text, ',' order by i::text)) from imports i) as imports`,
    )
  ).rows[0] as object;

/** Each change, on what it is about, and what the log has of the state before and after. */
const changes: Readonly<
  Record<
    string,
    () => Promise<{ partner: Awaited<ReturnType<typeof begin>>; path: string; body?: object; about: object }>
  >
> = {
  reissueLink: async () => {
    const partner = await begin();
    const { id } = await created(api, partner.token);
    const mark = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    const about = {
      target: "import",
      target_id: id,
      before: { link_mark: mark },
      after: { link_mark: mark },
    };
    return { partner, path: `/imports/${id}/link`, about };
  },
  setWebhookEndpoint: async () => {
    const partner = await begin();
    const about = { target: "webhook", target_id: partner.partnerId, before: null, after: { url } };
    return { partner, path: "/webhook-endpoint", body: { url }, about };
  },
  rotateWebhookSecret: async () => {
    const partner = await endpointSet();
    const about = {
      target: "webhook",
      target_id: partner.partnerId,
      before: { old_secret_until: null },
      after: { old_secret_until: expect.any(String) as string },
    };
    return { partner, path: "/webhook-endpoint/rotate", about };
  },
  enableWebhookEndpoint: async () => {
    const partner = await endpointSet();
    await disableTarget(api.db, partner.partnerId, "no_success");
    const about = {
      target: "webhook",
      target_id: partner.partnerId,
      before: { enabled: false },
      after: { enabled: true },
    };
    return { partner, path: "/webhook-endpoint/enable", about };
  },
};
const named = Object.entries(changes);

describe("a change by an API token", () => {
  test.each(named)("%s leaves one entry, with the token's id and no secret", async (action, given) => {
    const { partner, path, body, about } = await given();
    const { status, headers, json } = await partner.post(path, body);
    expect(status).toBe(200);
    const entries = await entriesOf(headers["x-request-id"]);
    expect(entries).toMatchObject([
      {
        action,
        changes: true,
        outcome: "done",
        role: "partner",
        staff_id: null,
        machine_user: null,
        token_id: null,
      },
    ]);
    const [entry] = entries;
    expect(entry).toMatchObject(about);
    expect(entry?.after).toMatchObject({ api_token: partner.tokenId });
    const { token, secret } = json as Partial<CreatedImport & WebhookEndpoint & { secret: string }>;
    for (const hidden of [partner.token, token, secret])
      if (hidden !== undefined) expect(JSON.stringify(entry)).not.toContain(hidden);
    expect(JSON.stringify(entry)).not.toMatch(/ptg_|whsec_|portage\.example\/imports/);
  });

  test.each(named)("%s is not made if the audit log can't be written", async (_, given) => {
    const { partner, path, body } = await given();
    const before = await everything();
    await api.db.pool.query(
      `create or replace function refuse_entry() returns trigger language plpgsql as
         $$ begin raise exception 'no entry'; end $$;
       create trigger refuse_entry before insert on staff_audit for each row execute function refuse_entry()`,
    );
    try {
      expect((await partner.post(path, body)).status).toBe(500);
    } finally {
      await api.db.pool.query("drop trigger refuse_entry on staff_audit");
    }
    expect(await everything()).toEqual(before);
  });

  test("that is refused, or sent to the sandbox, leaves none", async () => {
    const acme = await begin();
    const other = await begin();
    const { id } = await created(api, other.token);
    const before = await countEntries();
    expect((await acme.post(`/imports/${id}/link`)).status).toBe(404);
    expect((await acme.post("/webhook-endpoint", {})).status).toBe(422);
    expect((await acme.post("/webhook-endpoint", { url: "https://10.0.0.7/" })).status).toBe(422);
    expect((await acme.post("/webhook-endpoint/rotate")).status).toBe(404);
    expect((await acme.post("/webhook-endpoint/enable")).status).toBe(404);
    expect((await acme.post("/webhook-endpoint", { url }, sandbox)).status).toBe(200);
    expect((await acme.post("/imports/sample_completed/link", undefined, sandbox)).status).toBe(200);
    expect(await countEntries()).toBe(before);
    await acme.post("/webhook-endpoint", { url });
    await disableTarget(api.db, acme.partnerId, "operator");
    await acme.post("/webhook-endpoint/rotate");
    const set = await countEntries();
    expect((await acme.post("/webhook-endpoint/enable")).status).toBe(422);
    expect((await acme.post("/webhook-endpoint/rotate")).status).toBe(422);
    expect(await countEntries()).toBe(set);
  });
});
