import { describe, expect, test } from "vitest";
import { createImport } from "../../server/src/features/imports/index.ts";
import type { Partner } from "../../server/src/features/partners/index.ts";
import { testRegistry } from "../support/fixtures.ts";
import { bothBases, type CreatedBody, created, live, sandbox, useApi } from "./api.ts";
import { simulator } from "./simulator-fixture.ts";

const api = useApi();

const list = async (token: string, query: string) => {
  const { status, json, headers } = await api.ask({ path: `${live}/imports?${query}`, token });
  expect(status).toBe(200);
  return { ids: (json as { id: string }[]).map(({ id }) => id), link: headers.link?.toString(), json };
};

const aMoment = "must be a date such as 2026-02-27, or a time such as 2026-02-27T09:30:00Z";

describe.each(bothBases)("GET $base/imports", ({ base }) => {
  test.each([
    "",
    "?",
    "?destination_username=",
    "?destination_username=%20",
    "?destination_username=+",
    "?username=jo",
    "?limit=5",
  ])("422 without a filter: %s", async (query) => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({ path: `${base}/imports${query}`, token });
    expect(status).toBe(422);
    expect(json).toEqual({ destination_username: ["can't be blank"] });
  });

  test.each([
    ["limit=0", { limit: ["must be a number from 1 to 100"] }],
    ["limit=101", { limit: ["must be a number from 1 to 100"] }],
    ["limit=-1", { limit: ["must be a number from 1 to 100"] }],
    ["limit=1e1", { limit: ["must be a number from 1 to 100"] }],
    ["limit=", { limit: ["must be a number from 1 to 100"] }],
    ["cursor=x", { cursor: ["is not one of ours"] }],
    ["cursor=", { cursor: ["is not one of ours"] }],
    ["status=done", { status: ["is not one of the statuses"] }],
    ["family=cars", { family: ["must be one of helpdesk, projects, crm, content"] }],
    ["reference=a%00b", { reference: ["has a character that is not allowed"] }],
    ["created_after=yesterday", { created_after: [aMoment] }],
    ["created_after=2026-02-30", { created_after: [aMoment] }],
    ["created_after=2026-02-27T09:30:00", { created_after: [aMoment] }],
    ["created_after=0001-01-01", { created_after: [aMoment] }],
  ])("422: %s", async (query, errors) => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({
      path: `${base}/imports?destination_username=jo&${query}`,
      token,
    });
    expect(status).toBe(422);
    expect(json).toEqual(errors);
  });

  test("422: a username that no database can hold", async () => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({ path: `${base}/imports?destination_username=a%00b`, token });
    expect(status).toBe(422);
    expect(json).toEqual({ destination_username: ["has a character that is not allowed"] });
  });
});

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("an empty array when there are none", async () => {
  const { token } = await api.partner();
  expect((await list(token, "destination_username=jo")).json).toEqual([]);
});

test("newest first, all of them without a limit, each with exactly the fields of an entry", async () => {
  const { token } = await api.partner();
  const first = await created(api, token, { destination_username: "jo", reference: "a" });
  const second = await created(api, token, { destination_username: "jo" });
  const { json } = await list(token, "destination_username=jo");
  const entry = (made: typeof first, reference: string | null) => ({
    ...made,
    status: "Collecting credentials",
    status_code: "collecting_credentials",
    source_tool: "request-tracker",
    items: {},
    users: { source_tool: 0, destination_tool: 0, matched: 0 },
    sponsorship: "undecided",
    reference,
    created_at: expect.stringMatching(isoTime),
    updated_at: expect.stringMatching(isoTime),
  });
  expect(json).toEqual([entry(second, null), entry(first, "a")]);
});

test("an import whose key is missing hides no other, and shows no link that leads nowhere", async () => {
  const { token } = await api.partner();
  const first = await created(api, token, { destination_username: "jo" });
  const sealed = await created(api, token, { destination_username: "jo" });
  const last = await created(api, token, { destination_username: "jo" });
  await api.db.pool.query(
    "update imports set data_key = overlay(data_key placing 'k9'::bytea from 2) where id = $1",
    [sealed.id],
  );
  const { json } = await list(token, "destination_username=jo");
  expect(json).toMatchObject([
    last,
    { id: sealed.id, status_code: "collecting_credentials", token: "", redirect_url: "" },
    first,
  ]);
  // Asked for alone, it is an error of ours.
  expect((await api.ask({ path: `${live}/imports/${sealed.id}`, token })).status).toBe(500);
});

const createMany = async (partner: Partner, count: number): Promise<readonly string[]> => {
  const ids: string[] = [];
  const create = createImport({
    db: api.db,
    sealer: api.sealer,
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  for (let n = 0; n < count; n++) {
    const made = await create(partner, { source_tool: "request-tracker", destination_username: "many" });
    if (made.kind === "created") ids.push(made.id);
  }
  return ids.toSorted().toReversed();
};

test("returns more than a page's maximum if the request has no limit, and pages without a username", async () => {
  const { token, partner } = await api.partner();
  const ids = await createMany(partner, 120);
  expect((await list(token, "destination_username=many")).ids).toEqual(ids);
  const first = await list(token, "family=helpdesk");
  const next = new URL(/<(.+)>/.exec(first.link ?? "")?.[1] ?? "").search.slice(1);
  const second = await list(token, next);
  expect([first.ids, second.ids, second.link]).toEqual([ids.slice(0, 100), ids.slice(100), undefined]);
});

test("leaves out cancelled and archived imports", async () => {
  const { token } = await api.partner();
  const kept = await created(api, token, { destination_username: "jo" });
  for (const closed of ["cancelled", "archived"]) {
    const { id } = await created(api, token, { destination_username: "jo" });
    await api.db.pool.query("update imports set closed = $2, closed_at = now() where id = $1", [id, closed]);
  }
  expect((await list(token, "destination_username=jo")).ids).toEqual([kept.id]);
});

test.each([
  ["JO@ACME.EXAMPLE", "jo%40acme.example"],
  [" jo ", "jo"],
  ["jo", "%20JO%20"],
  ["Jo\u0308rg", "j%C3%B6rg"],
  ["ÉLODIE", "%C3%A9lodie"],
  ["jo+x@acme.example", "jo%2Bx@acme.example"],
  ["jo+x@acme.example", "jo+x@acme.example"],
  ["jo x", "jo+x"],
  ["jo x", "jo%20x"],
])("a username given as %j is found by %s", async (given, asked) => {
  const { token } = await api.partner();
  const { id } = await created(api, token, { destination_username: given });
  expect((await list(token, `destination_username=${asked}`)).ids).toEqual([id]);
});

test("%2B is a plus and nothing else", async () => {
  const { token } = await api.partner();
  await created(api, token, { destination_username: "jo x" });
  expect((await list(token, "destination_username=jo%2Bx")).ids).toEqual([]);
});

test("pages: by limit, newest first, following absolute links that keep every parameter", async () => {
  const { token } = await api.partner();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await created(api, token, { destination_username: "a b" })).id);
  const seen: string[] = [];
  let query = "destination_username=a+b&limit=2&x=%20y";
  for (let page = 0; page < 3; page++) {
    const { ids: found, link } = await list(token, query);
    seen.push(...found);
    if (page === 2) {
      expect(link).toBeUndefined();
      break;
    }
    const url = new URL(/^<(.+)>; rel="next"$/.exec(link ?? "")?.[1] ?? "");
    expect(url.origin + url.pathname).toBe(`https://portage.example${live}/imports`);
    expect(url.search).toMatch(/^\?destination_username=a\+b&limit=2&x=%20y&cursor=[\w-]+$/);
    query = url.search.slice(1);
  }
  expect(seen).toEqual(ids);
});

test.each([
  ["a cursor by another spelling", "%63ursor=CURSOR"],
  ["a raw hash and angle brackets", "x=<a>#b&y"],
  ["a name with a raw plus", "a+b=%26c"],
])("the link to the next page can be followed after %s", async (_, extra) => {
  const { token } = await api.partner();
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.unshift((await created(api, token, { destination_username: "a+b" })).id);
  const query = "destination_username=a+b&limit=1";
  const first = await list(token, query);
  const follow = (link: string | undefined) =>
    list(token, new URL(/^<([^<>#]+)>; rel="next"$/.exec(link ?? "")?.[1] ?? "").search.slice(1));
  const cursor = /cursor=([\w-]+)/.exec(first.link ?? "")?.[1] ?? "";
  const second = await list(token, `${query}&${extra.replace("CURSOR", cursor)}`);
  const third = await follow(second.link);
  const begin = extra.includes("CURSOR") ? 1 : 0;
  expect([...second.ids, ...third.ids]).toEqual(ids.slice(begin, begin + 2));
});

test("an import created between two pages shifts no entry", async () => {
  const { token } = await api.partner();
  const older = await created(api, token, { destination_username: "jo" });
  const newer = await created(api, token, { destination_username: "jo" });
  const { ids, link } = await list(token, "destination_username=jo&limit=1");
  expect(ids).toEqual([newer.id]);
  await created(api, token, { destination_username: "jo" });
  const next = new URL(/<(.+)>/.exec(link ?? "")?.[1] ?? "").search.slice(1);
  expect((await list(token, next)).ids).toEqual([older.id]);
});

test("finds by status, reference and family, never another partner's", async () => {
  const { token } = await api.partner();
  const other = await api.partner();
  const desk = await created(api, token, { reference: "a 1", family: "helpdesk" });
  const plan = await created(api, token, { source_tool: "redmine", family: "projects", reference: "b" });
  await created(api, other.token, { reference: "a 1", family: "helpdesk" });
  await api.db.pool.query("update imports set status = 'waiting_for_sample' where id = $1", [plan.id]);
  const idsOf = async (query: string) => (await list(token, query)).ids;
  expect(await idsOf("reference=a+1")).toEqual([desk.id]);
  expect(await idsOf("reference=A%201")).toEqual([]);
  expect(await idsOf("family=projects")).toEqual([plan.id]);
  expect(await idsOf("status=collecting_credentials")).toEqual([desk.id]);
  expect(await idsOf("status=Waiting%20to%20start%20sample%20migration")).toEqual([plan.id]);
  expect(await idsOf("status=waiting_for_sample&family=helpdesk")).toEqual([]);
  expect(await idsOf("destination_username=jo&reference=a+1")).toEqual([]);
});

test("finds what was created at a moment or later", async () => {
  const { token } = await api.partner();
  const old = await created(api, token);
  await api.db.pool.query("update imports set created_at = now() - interval '1 hour' where id = $1", [
    old.id,
  ]);
  const young = await created(api, token, { reference: "young" });
  const idsOf = async (query: string) => (await list(token, query)).ids;
  expect(await idsOf("created_after=2020-01-01")).toEqual([young.id, old.id]);
  const { json } = await list(token, "reference=young");
  const at = (json as { created_at: string }[])[0]?.created_at ?? "";
  expect(await idsOf(`created_after=${at}`)).toEqual([young.id]);
  expect(await idsOf(`created_after=${new Date(Date.parse(at) + 1).toISOString()}`)).toEqual([]);
  expect(await idsOf("created_after=2999-01-01T00:00:00%2B02:00")).toEqual([]);
});

describe.each([{ base: live }, { base: simulator }])("$base: a raw plus in the query", ({ base }) => {
  test("is looked up both as a space and as a plus in a reference; %2B is a plus", async () => {
    const { token } = await api.partner();
    const made: string[] = [];
    for (const reference of ["a+b c", "a b c"]) {
      const body = { source_tool: "request-tracker", reference };
      const { json } = await api.ask({ method: "POST", path: `${base}/imports`, token, body });
      made.unshift((json as CreatedBody).id);
    }
    const idsOf = async (query: string) =>
      ((await api.ask({ path: `${base}/imports?${query}`, token })).json as { id: string }[]).map(
        ({ id }) => id,
      );
    expect(await idsOf("reference=a+b%20c")).toEqual(made);
    expect(await idsOf("reference=a%2Bb%20c")).toEqual([made[1]]);
    expect(await idsOf("reference=a%20b%20c")).toEqual([made[0]]);
  });
});

test.each([live, sandbox, simulator])(
  "%s: created_after takes the plus of a zone raw or encoded",
  async (base) => {
    const { token } = await api.partner();
    for (const plus of ["+", "%2B"]) {
      const query = `created_after=2999-01-01T00:00:00${plus}02:00`;
      const { status, json } = await api.ask({ path: `${base}/imports?${query}`, token });
      expect([plus, status, json]).toEqual([plus, 200, []]);
    }
  },
);

describe("the sandbox's list", () => {
  test("follows the filters", async () => {
    const { token } = await api.partner();
    const idsOf = async (query: string) =>
      ((await api.ask({ path: `${sandbox}/imports?${query}`, token })).json as { id: string }[]).map(
        ({ id }) => id,
      );
    expect(await idsOf("status=sample_completed")).toEqual(["sample_completed"]);
    expect(await idsOf("family=crm")).toEqual([]);
    expect(await idsOf("reference=x")).toEqual([]);
    expect(await idsOf("created_after=2024-01-01")).toHaveLength(2);
    expect(await idsOf("created_after=2999-01-01")).toEqual([]);
  });
  test("is the same two for everyone", async () => {
    const { token } = await api.partner();
    const { json } = await api.ask({ path: `${sandbox}/imports?destination_username=anyone`, token });
    expect(json).toMatchObject([{ id: "sample_completed" }, { id: "migration_completed" }]);
  });
  test("is empty for nobody@example.com", async () => {
    const { token } = await api.partner();
    expect(
      (await api.ask({ path: `${sandbox}/imports?destination_username=nobody@example.com`, token })).json,
    ).toEqual([]);
  });
});
