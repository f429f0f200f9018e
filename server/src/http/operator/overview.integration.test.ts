import pg from "pg";
import { expect, test } from "vitest";
import { connected, useOperatorApi } from "../../../../test/support/operator-api.ts";
import { givenPartner } from "../../../../test/support/fixtures.ts";
import { setTarget } from "../../features/webhooks/index.ts";
import { newId } from "../../platform/ids.ts";
import { operatorBase } from "./base.ts";

const api = useOperatorApi();
const running = [...connected, { type: "sample_started" }] as const;

interface Overview {
  readonly imports: {
    readonly by_status: Readonly<Record<string, number>>;
    readonly running: number;
    readonly stuck: Readonly<Record<string, number>>;
  };
  readonly attention: readonly { readonly id: string; readonly stuck: { readonly cause: string } }[];
}

test("every number of the overview is the length of the list behind it", async () => {
  const viewer = await api.person("viewer");
  const overview = async () => (await api.ask(viewer, { path: `${operatorBase}/overview` })).json as Overview;
  const ids = async (query: string) =>
    (
      (await api.ask(viewer, { path: `${operatorBase}/imports?limit=200&${query}` })).json as {
        imports: { id: string }[];
      }
    ).imports.map(({ id }) => id);
  const { id: waiting } = await api.givenImport();
  const { id: stuck } = await api.givenImport(running);
  const { id: fine } = await api.givenImport(running);
  await api.db.pool.query("update outbox set created_at = now() - interval '1 hour' where import_id = $1", [
    stuck,
  ]);
  const { imports, attention } = await overview();
  for (const [status, count] of Object.entries(imports.by_status))
    expect(await ids(`status=${status}&closed=false`)).toHaveLength(count);
  expect(await ids("running=true")).toHaveLength(imports.running);
  expect(await ids("running=true")).toEqual([fine, stuck]);
  expect(await ids("running=false")).toContain(waiting);
  for (const [who, count] of Object.entries(imports.stuck))
    expect(await ids(`waits_for=${who}`)).toHaveLength(count);
  expect(await ids("waits_for=workers")).toEqual([stuck]);
  expect(await ids("waits_for=workers&stuck=false")).toEqual([]);
  expect(attention).toMatchObject([{ id: stuck, stuck: { cause: "not_dispatched" } }]);
});

test("the count of partners that are behind has no end, and leaves out what was queued just now", async () => {
  const viewer = await api.person("viewer");
  const backlog = async (query: string) =>
    (
      (await api.ask(viewer, { path: `${operatorBase}/webhooks/backlog?limit=200${query}` })).json as {
        partners: { partner_id: string }[];
      }
    ).partners.map(({ partner_id }) => partner_id);
  const before = (await backlog("")).length;
  const queue = async (dueIn: string) => {
    const { partner } = await givenPartner(api.db);
    await api.db.pool.query(
      `insert into webhook_deliveries (event_id, partner_id, type, seq, lane, state, next_attempt_at, due_at)
       values ($1, $2, 'webhook.test', 0, $1, 'waiting', now(), now() + $3::interval)`,
      [newId("evt"), partner.id, dueIn],
    );
    return partner.id;
  };
  const late: string[] = [];
  for (let minutes = 20; minutes > 11; minutes -= 1) late.push(await queue(`-${minutes} minutes`));
  await queue("-1 second");
  const shown = async () =>
    (await api.ask(viewer, { path: `${operatorBase}/overview` })).json as {
      webhooks: { partner_id: string }[];
      webhooks_behind: number;
    };
  expect(await backlog("")).toHaveLength(before + 10);
  expect(await backlog("&behind=true")).toEqual(late);
  expect((await shown()).webhooks_behind).toBe(9);
  expect((await shown()).webhooks.map(({ partner_id }) => partner_id)).toEqual(late.slice(0, 8));

  // Its next attempt is due in an hour, but the event is late all the same.
  const failing = await queue("1 hour");
  await setTarget(api, failing, { kind: "checked", url: "http://127.0.0.1:9/hooks" }, {});
  await api.db.pool.query("update webhook_targets set failing_since = now() where partner_id = $1", [
    failing,
  ]);
  expect(await backlog("&behind=true")).toEqual([...late, failing]);
  expect((await shown()).webhooks_behind).toBe(10);
});

test("records are listed once a copy has completed, from a cursor of ours", async () => {
  const viewer = await api.person("viewer");
  const { id } = await api.givenImport();
  const records = (query: string) =>
    api.ask(viewer, { path: `${operatorBase}/imports/${id}/records${query}` });
  expect((await records("")).status).toBe(404);
  expect((await records("?before=x")).json).toEqual({ before: ["is not one of ours"] });
  expect((await records("?state=undone")).status).toBe(422);
  // Fields that came out changed are no records.
  expect((await records("?finding=changed")).json).toHaveProperty("finding");
});

test("processes are listed by name and release", async () => {
  const viewer = await api.person("viewer");
  const connect = async (name: string) => {
    const client = new pg.Client({ connectionString: api.db.url, application_name: name });
    await client.connect();
    return client;
  };
  const clients = [
    await connect("portage worker 2.1.0-0123456789ab"),
    await connect("portage worker 2.1.0-0123456789ab"),
    await connect("portage worker 2.2.0-ba9876543210"),
    await connect("portage migrate, lookout"),
  ];
  const { processes } = (await api.ask(viewer, { path: `${operatorBase}/workers` })).json as {
    processes: { name: string; release: string | null; sessions: number }[];
  };
  await Promise.all(clients.map((client) => client.end()));
  const seen = processes.map(({ name, release, sessions }) => `${name} ${release ?? "-"} ${sessions}`);
  expect(seen).toEqual(
    expect.arrayContaining([
      "portage worker 2.1.0-0123456789ab 2",
      "portage worker 2.2.0-ba9876543210 1",
      "portage migrate - 1",
    ]),
  );
});

test("a text finds an import by its id, its reference or its username, within the other filters", async () => {
  const viewer = await api.person("viewer");
  const { id, partnerId } = await api.givenImport();
  const { id: other } = await api.givenImport();
  await api.db.pool.query(
    "update imports set reference = 'ws 7', username_key = 'kim@acme.example' where id = $1",
    [id],
  );
  const ids = async (query: string) =>
    (
      (await api.ask(viewer, { path: `${operatorBase}/imports?${query}` })).json as {
        imports: { id: string }[];
      }
    ).imports.map((each) => each.id);
  expect(await ids(`text=${id}`)).toEqual([id]);
  expect(await ids("text=ws%207")).toEqual([id]);
  expect(await ids("text=Kim%40acme.example")).toEqual([id]);
  expect(await ids(`text=ws%207&partner=${partnerId}&tool=redmine`)).toEqual([id]);
  expect(await ids("text=ws%207&family=crm")).toEqual([]);
  expect(await ids("text=ws")).toEqual([]);
  expect(await ids(`text=${other}&reference=ws%207`)).toEqual([]);
  expect(await ids(`text=${id}&stuck=true`)).toEqual([]);
});

test("a tool with a sign-in page has an address to register, also where a key does instead", async () => {
  const viewer = await api.person("viewer");
  const { tools } = (await api.ask(viewer, { path: `${operatorBase}/tools` })).json as {
    tools: { name: string; sign_in: string; oauth_callback_url: string | null }[];
  };
  const of = (name: string) => tools.find((tool) => tool.name === name);
  expect(of("zendesk")).toMatchObject({
    sign_in: "choice",
    oauth_callback_url: "https://portage.example/oauth/callback/zendesk",
  });
  expect(of("redmine")).toMatchObject({ sign_in: "secret", oauth_callback_url: null });
});

test("a color is previewed as customers would see it", async () => {
  const viewer = await api.person("viewer");
  const preview = async (color: string) =>
    api.ask(viewer, { path: `${operatorBase}/branding-preview?color=${encodeURIComponent(color)}` });
  expect((await preview("#ffff00")).json).toMatchObject({
    moved: ["light"],
    dark: { brand: "#ffff00" },
  });
  const { contrast } = ((await preview("#ffff00")).json as { light: { contrast: number } }).light;
  expect(contrast).toBeGreaterThanOrEqual(4.5);
  expect((await preview("red")).status).toBe(422);
});
