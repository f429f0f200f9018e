import { describe, expect, test } from "vitest";
import { createImport } from "../../server/src/features/imports/index.ts";
import { testRegistry } from "../support/fixtures.ts";
import { bothBases, created, live, sandbox, useApi } from "./api.ts";

const api = useApi();

const list = async (token: string, query: string) => {
  const { status, json, headers } = await api.ask({ path: `${live}/imports?${query}`, token });
  expect(status).toBe(200);
  return { ids: (json as { id: string }[]).map(({ id }) => id), link: headers.link?.toString(), json };
};

describe.each(bothBases)("GET $base/imports", ({ base }) => {
  test.each([
    "",
    "?",
    "?destination_username=",
    "?destination_username=%20",
    "?destination_username=+",
    "?username=jo",
  ])("422 without a username: %s", async (query) => {
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
    items: {},
    users: { source_tool: 0, destination_tool: 0, matched: 0 },
    sponsorship: "undecided",
    reference,
  });
  expect(json).toEqual([entry(second, null), entry(first, "a")]);
});

test("returns more than a page's maximum if the request has no limit", async () => {
  const { token, partner } = await api.partner();
  const ids: string[] = [];
  const create = createImport({
    db: api.db,
    sealer: api.sealer,
    registry: testRegistry(),
    checkDestination: async () => ({ kind: "not_all_given" }),
  });
  for (let n = 0; n < 120; n++) {
    const made = await create(partner, { source_tool: "request-tracker", destination_username: "many" });
    if (made.kind === "created") ids.push(made.id);
  }
  const { ids: found } = await list(token, "destination_username=many");
  expect(new Set(found)).toEqual(new Set(ids));
  expect(found).toEqual(ids.toSorted().toReversed());
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

describe("the sandbox's list", () => {
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
