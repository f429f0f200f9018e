import { describe, expect, test } from "vitest";
import { bothBases, created, live, sandbox, useApi } from "./api.ts";

const api = useApi();

interface Event {
  event_id: string;
  type: string;
  id: string;
}

const events = async (token: string, query = "") => {
  const { status, json } = await api.ask({ path: `${live}/events${query}`, token });
  expect(status).toBe(200);
  return json as Event[];
};

const cancel = (token: string, id: string) =>
  api.ask({ method: "POST", path: `${live}/imports/${id}/cancel`, token });

test("lists a partner's own events, oldest first, in pages after an event", async () => {
  const { token } = await api.partner();
  const other = await api.partner();
  expect(await events(token)).toEqual([]);
  const made = [await created(api, token, { reference: "a" }), await created(api, token)];
  const foreign = await created(api, other.token);
  for (const { id } of made) await cancel(token, id);
  await cancel(other.token, foreign.id);
  const all = await events(token);
  expect(all.map(({ id, type }) => [id, type])).toEqual(made.map(({ id }) => [id, "import.closed"]));
  expect(all[0]).toMatchObject({
    token: made[0]?.token,
    status_code: "collecting_credentials",
    status: "Collecting credentials",
    previous_status: null,
    family: "helpdesk",
    reference: "a",
  });
  expect(await events(token, "?limit=1")).toEqual([all[0]]);
  expect(await events(token, `?after=${all[0]?.event_id}`)).toEqual([all[1]]);
  expect(await events(token, `?after=${all[1]?.event_id}`)).toEqual([]);
  const [theirs] = await events(other.token);
  const { status, json } = await api.ask({ path: `${live}/events?after=${theirs?.event_id}`, token });
  expect(status).toBe(422);
  expect(json).toEqual({ after: ["is not an event of yours in the last 30 days"] });
});

test("an event of an import whose key is missing hides no other", async () => {
  const { token } = await api.partner();
  const made = [await created(api, token), await created(api, token)];
  for (const { id } of made) await cancel(token, id);
  await api.db.pool.query(
    "update imports set data_key = overlay(data_key placing 'k9'::bytea from 2) where id = $1",
    [made[0]?.id],
  );
  expect(await events(token)).toMatchObject(
    [{ id: made[0]?.id, token: "" }, made[1] ?? {}].map(({ id, token: of }) => ({ id, token: of })),
  );
});

test("does not skip an event of an open transaction: the list shows nothing later before it", async () => {
  const { token } = await api.partner();
  const slow = await created(api, token);
  const fast = await created(api, token);
  const open = await api.db.pool.connect();
  await open.query("begin");
  await open.query(
    `insert into events (id, partner_id, import_id, type, status)
     select 'evt_00000000000000000000000000', partner_id, id, 'import.attention_required', status from imports where id = $1`,
    [slow.id],
  );
  await cancel(token, fast.id);
  expect(await events(token)).toEqual([]);
  await open.query("commit");
  open.release();
  expect((await events(token)).map(({ type }) => type)).toEqual([
    "import.attention_required",
    "import.closed",
  ]);
});

test("drops events after 30 days", async () => {
  const { token } = await api.partner();
  const { id } = await created(api, token);
  await cancel(token, id);
  await api.db.pool.query("update events set created_at = now() - interval '31 days' where import_id = $1", [
    id,
  ]);
  expect(await events(token)).toEqual([]);
});

describe.each(bothBases)("GET $base/events", ({ base }) => {
  test.each([
    ["after=x", { after: ["is not an event_id"] }],
    ["limit=0", { limit: ["must be a number from 1 to 100"] }],
  ])("422: %s", async (query, errors) => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({ path: `${base}/events?${query}`, token });
    expect(status).toBe(422);
    expect(json).toEqual(errors);
  });
});

test("cancelling deletes the credentials; every later request gets 404", async () => {
  const { token } = await api.partner();
  const { id } = await created(api, token, { destination_token: "x" });
  expect((await cancel(token, id)).status).toBe(200);
  expect((await cancel(token, id)).status).toBe(404);
  const { rows } = await api.db.pool.query("select closed, destination_token from imports where id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ closed: "cancelled", destination_token: null }]);
});

test("the sandbox has one static event, of a type that the list has in the real API", async () => {
  const { token } = await api.partner();
  const { json } = await api.ask({ path: `${sandbox}/events`, token });
  const sample = {
    type: "import.status_changed",
    id: "sample_completed",
    status: "Sample migration completed",
    previous_status: "Sample migration in progress",
  };
  expect(json).toMatchObject([sample]);
  const [{ event_id, type }] = json as [Event];
  const delivered = await api.ask({ path: `${sandbox}/webhook-deliveries?event_id=${event_id}`, token });
  expect(delivered.json).toMatchObject([{ event_id, type, id: "sample_completed" }]);
  expect((await api.ask({ path: `${sandbox}/events?after=${event_id}`, token })).json).toEqual([]);
});
