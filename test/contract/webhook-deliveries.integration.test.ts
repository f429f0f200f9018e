import { describe, expect, test } from "vitest";
import { disableTarget, newWebhookSecret, saveTarget } from "../../server/src/features/webhooks/index.ts";
import { bothBases, created, live, sandbox, useApi } from "./api.ts";

const api = useApi();

interface Entry {
  event_id: string;
  type: string;
  id: string;
  state: string;
  attempts: { status: number | null; error: string | null }[];
}

const list = async (token: string, query = "", base = live) => {
  const { status, json } = await api.ask({ path: `${base}/webhook-deliveries${query}`, token });
  expect(status).toBe(200);
  return json as Entry[];
};

const withTarget = async () => {
  const made = await api.partner();
  const settings = { url: "https://hooks.acme.example/portage", eventTypes: null, ordered: true };
  await saveTarget(api.db, api.sealer, made.partner.id, settings, newWebhookSecret());
  return made;
};

const cancelled = async (token: string) => {
  const { id } = await created(api, token);
  await api.ask({ method: "POST", path: `${live}/imports/${id}/cancel`, token });
  return id;
};

const replay = (token: string, id: string, base = live) =>
  api.ask({ method: "POST", path: `${base}/webhook-deliveries/${id}/replay`, token });

test("lists a partner's own deliveries with their attempts, newest first, in pages", async () => {
  const { token } = await withTarget();
  const other = await withTarget();
  expect(await list(token)).toEqual([]);
  const ids = [await cancelled(token), await cancelled(token)];
  await cancelled(other.token);
  const all = await list(token);
  expect(all.map(({ id, type, state }) => [id, type, state])).toEqual(
    ids.toReversed().map((id) => [id, "import.closed", "waiting"]),
  );
  await api.db.pool.query(
    `insert into webhook_attempts (event_id, generation, at, status, duration_ms, error, answer)
     values ($1, 1, now(), 503, 12, 'bad_status', 'busy')`,
    [all[0]?.event_id],
  );
  expect(await list(token, "?limit=1")).toMatchObject([
    { id: ids[1], attempts: [{ status: 503, duration_ms: 12, error: "bad_status", answer: "busy" }] },
  ]);
  expect(await list(token, `?after=${all[0]?.event_id}`)).toEqual([all[1]]);
  expect(await list(token, `?event_id=${all[1]?.event_id}`)).toEqual([all[1]]);
  expect(await list(other.token, `?event_id=${all[1]?.event_id}`)).toEqual([]);
});

test("replays an event; not another partner's, not an unknown one, not without an address", async () => {
  const { token } = await withTarget();
  const other = await withTarget();
  const addressless = await api.partner();
  await cancelled(token);
  const [first] = await list(token);
  await api.db.pool.query(
    "update webhook_deliveries set state = 'delivered', due_at = null, ended_at = now() where event_id = $1",
    [first?.event_id],
  );
  const { status, text } = await replay(token, first?.event_id ?? "");
  expect([status, text]).toEqual([200, ""]);
  expect((await list(token))[0]?.state).toBe("waiting");
  for (const id of [first?.event_id ?? "", "evt_00000000000000000000000000", "42", "__proto__"])
    expect((await replay(other.token, id)).status).toBe(404);
  await cancelled(addressless.token);
  const events = (await api.ask({ path: `${live}/events`, token: addressless.token })).json as Entry[];
  const refused = await replay(addressless.token, events[0]?.event_id ?? "");
  expect([refused.status, refused.json]).toEqual([422, { base: ["There is no address for your webhooks."] }]);
});

test("a disabled endpoint: 422 says since when, why and how to enable it, and queues nothing", async () => {
  const { partner, token } = await withTarget();
  await cancelled(token);
  const [first] = await list(token);
  await api.db.pool.query(
    "update webhook_deliveries set state = 'delivered', due_at = null, ended_at = now() where event_id = $1",
    [first?.event_id],
  );
  await disableTarget(api.db, partner.id, "no_success");
  const { status, json } = await replay(token, first?.event_id ?? "");
  expect([status, json]).toEqual([422, { base: [expect.any(String)] }]);
  const [said = ""] = (json as { base: string[] }).base;
  expect(said).toMatch(/disabled since \d{4}-\d{2}-\d{2}T\S+Z: nothing reached it for five days\./);
  expect(said).toContain("POST /webhook-endpoint/enable");
  expect((await list(token))[0]?.state).toBe("delivered");
});

test("what waits for a disabled endpoint says since when and why, until it is enabled", async () => {
  const { partner, token } = await withTarget();
  const shown = async () => (await list(token))[0];
  await cancelled(token);
  expect(await shown()).toMatchObject({ state: "waiting", next_attempt: expect.any(Number) as number });
  expect(await shown()).not.toHaveProperty("endpoint_disabled");
  await disableTarget(api.db, partner.id, "gone");
  expect(await shown()).toMatchObject({
    next_attempt: null,
    endpoint_disabled: expect.stringMatching(/^disabled since \S+Z: it answered 410 Gone$/) as string,
  });
  await api.ask({ method: "POST", path: `${live}/webhook-endpoint/enable`, token });
  expect(await shown()).not.toHaveProperty("endpoint_disabled");
  // A delivered one waits for nothing.
  await disableTarget(api.db, partner.id, "gone");
  await api.db.pool.query(
    "update webhook_deliveries set state = 'delivered', due_at = null, ended_at = now() where partner_id = $1",
    [partner.id],
  );
  expect(await shown()).not.toHaveProperty("endpoint_disabled");
});

describe.each(bothBases)("GET $base/webhook-deliveries", ({ base }) => {
  test.each([
    ["after=x", { after: ["is not an event_id"] }],
    ["event_id=x", { event_id: ["is not an event_id"] }],
    ["limit=101", { limit: ["must be a number from 1 to 100"] }],
  ])("422: %s", async (query, errors) => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({ path: `${base}/webhook-deliveries?${query}`, token });
    expect([status, json]).toEqual([422, errors]);
  });
});

test("the sandbox has two deliveries: of its test event, and of the event that it lists", async () => {
  const { token } = await api.partner();
  const both = await list(token, "", sandbox);
  const about = { id: "sample_completed", state: "delivered" };
  expect(both).toMatchObject([
    { ...about, type: "webhook.test" },
    { ...about, type: "import.status_changed" },
  ]);
  const [first, second] = both;
  expect(await list(token, "?limit=1", sandbox)).toEqual([first]);
  expect(await list(token, `?after=${first?.event_id}`, sandbox)).toEqual([second]);
  expect(await list(token, `?after=${second?.event_id}`, sandbox)).toEqual([]);
  const tested = await api.ask({ method: "POST", path: `${sandbox}/webhook-endpoint/test`, token });
  expect(tested.json).toEqual({ event_id: first?.event_id });
  const event = ((await api.ask({ path: `${sandbox}/events`, token })).json as object[])[0];
  const shown = (await api.ask({ path: `${sandbox}/imports/sample_completed`, token })).json as Record<
    string,
    unknown
  >;
  const { id, token: link, status, items, users, family, reference } = shown;
  expect(event).toMatchObject({ id, token: link, status, items, users, family, reference });
  for (const { event_id } of both) expect((await replay(token, event_id, sandbox)).status).toBe(200);
  expect((await replay(token, "evt_0000000000000000000000000z", sandbox)).status).toBe(404);
});
