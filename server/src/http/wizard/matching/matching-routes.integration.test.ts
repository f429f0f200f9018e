import { describe, expect, test } from "vitest";
import { testSigner } from "../../../../../test/support/fixtures.ts";
import { type RunWizard, useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { emptyMapping, loadMapping, type Mapping } from "../../../features/mapping/index.ts";

const wizard = useRunWizard();
const impatient = useRunWizard({}, testSigner(), 1);
const counts = {
  users: 4,
  tickets: 30,
  comments: 20,
  contacts: 0,
  organizations: 0,
  groups: 0,
  articles: 0,
  attachments: 0,
};
const begin = (options: Parameters<typeof wizard.begin>[0] = {}) =>
  wizard.begin({ source: { counts }, ...options });

const gathered = async (options: Parameters<typeof begin>[0] = {}) => {
  const one = await begin(options);
  expect(await one.ask("POST", "/mapping/facts")).toMatchObject({ status: 200, json: { gathered: true } });
  return one;
};

interface Shown {
  readonly revision: number;
  readonly mapping: Mapping;
  readonly suggested?: Mapping;
  readonly facts: { readonly streams: { name: string; words: object }[]; readonly people: object };
}

const shown = async (one: RunWizard) => (await one.ask("GET", "/mapping")).json as Shown;
const only = (...streams: string[]): Mapping => ({
  ...emptyMapping,
  selection: { ...emptyMapping.selection, streams },
});
const gatherFirst = {
  status: 409,
  json: { error: { message: "Start by reading what there is to match in both tools." } },
};

describe("facts", () => {
  test("without facts every route responds that they are missing", async () => {
    const one = await begin();
    expect(await one.ask("GET", "/mapping")).toMatchObject(gatherFirst);
    expect(await one.ask("PUT", "/mapping", { based: 0, mapping: {} })).toMatchObject(gatherFirst);
    expect(await one.ask("POST", "/mapping/preview", { stream: "tickets" })).toMatchObject(gatherFirst);
    for (const side of ["source", "destination"])
      expect(await one.ask("GET", `/mapping/people?side=${side}`)).toMatchObject(gatherFirst);
    expect(one.source.stats().requests).toBe(0);
  });

  test("are gathered once, and again on request", async () => {
    const one = await gathered();
    const first = one.source.stats().requests;
    expect(first).toBeGreaterThan(0);
    expect((await one.ask("POST", "/mapping/facts")).status).toBe(200);
    expect(one.source.stats().requests).toBe(first);
    expect((await one.ask("POST", "/mapping/facts?anew=true")).status).toBe(200);
    expect(one.source.stats().requests).toBeGreaterThan(first);
    expect(await one.ask("POST", "/mapping/facts?anew=maybe")).toMatchObject({
      status: 422,
      json: { anew: ["must be true or false"] },
    });
    expect(one.destination.stats()).toMatchObject({ writes: {}, written: 0 });
  });

  test("a slow gathering continues in the background, once, and a later request finds its result", async () => {
    const one = await impatient.begin({ source: { counts, latencyMs: 100 } });
    const late = { status: 202, json: { gathered: false } };
    expect(await one.ask("POST", "/mapping/facts")).toMatchObject(late);
    expect(await one.ask("POST", "/mapping/facts")).toMatchObject(late);
    await expect
      .poll(async () => (await one.ask("POST", "/mapping/facts")).status, { timeout: 600_000 })
      .toBe(200);
    const requests = one.source.stats().requests;
    expect((await one.ask("GET", "/mapping")).status).toBe(200);
    const alone = await gathered();
    // The tool got each request once.
    expect(requests).toBe(alone.source.stats().requests);
  });

  test("fail for a side that is not connected or does not answer", async () => {
    const one = await begin();
    one.gone.add("destination");
    expect(await one.ask("POST", "/mapping/facts")).toMatchObject({
      status: 409,
      json: { error: { message: "Connect both tools first." } },
    });
    one.gone.clear();
    one.source.revoke(one.source.token);
    expect(await one.ask("POST", "/mapping/facts")).toMatchObject({
      status: 503,
      json: { error: { code: "unavailable", message: expect.any(String) }, side: "source" },
    });
    expect(await one.ask("GET", "/mapping")).toMatchObject(gatherFirst);
  });
});

describe("the mapping", () => {
  test("is suggested until one is saved; people have their own list", async () => {
    const one = await gathered();
    const before = await shown(one);
    expect(before).toMatchObject({ revision: 0, mapping: emptyMapping, suggested: expect.anything() });
    expect(before.facts.people).toEqual({
      source: 4,
      destination: expect.any(Number),
      complete: expect.any(Boolean),
      exact: expect.any(Number),
      likely: expect.any(Number),
      canCopy: true,
    });
    const tickets = before.facts.streams.find(({ name }) => name === "tickets");
    expect(tickets).toMatchObject({
      label: "Tickets",
      suggestions: {
        fields: expect.arrayContaining([expect.objectContaining({ key: "color", confidence: 1 })]),
      },
    });
    expect(await one.ask("PUT", "/mapping", { based: 0, mapping: before.suggested ?? {} })).toMatchObject({
      status: 200,
      json: { revision: 1, warnings: expect.any(Array) },
    });
    const after = await shown(one);
    expect(after).toMatchObject({ revision: 1, mapping: before.suggested });
    expect(after.suggested).toBeUndefined();
  });

  test("from a stale revision conflicts: the second of two people sees what the first saved", async () => {
    const one = await gathered();
    const save = (mapping: Mapping) => one.ask("PUT", "/mapping", { based: 0, mapping });
    expect((await save(only("users"))).status).toBe(200);
    const stale = await save(only("users", "tickets"));
    expect(stale).toMatchObject({
      status: 409,
      json: { error: { code: "conflict" }, current: { revision: 1, mapping: only("users") } },
    });
    expect((await shown(one)).mapping.selection.streams).toEqual(["users"]);
  });

  test("is rejected with path and reason when it can't be executed, and is not saved", async () => {
    const one = await gathered();
    const save = (mapping: unknown) => one.ask("PUT", "/mapping", { based: 0, mapping });
    for (const [mapping, path] of [
      [only("comments"), ["selection", "streams", "0"]],
      [only(), ["selection", "streams"]],
      [{ people: { unmatched: "anyone" } }, ["people", "unmatched"]],
      [{ people: { choices: { "1": { to: "person", id: "unknown" } } } }, ["people", "choices", "1"]],
      [[], []],
    ] as const)
      expect(await save(mapping)).toMatchObject({
        status: 422,
        json: { problems: [{ path: expect.arrayContaining([...path]), message: expect.any(String) }] },
      });
    expect(await one.ask("PUT", "/mapping", { based: "one", mapping: {} })).toMatchObject({
      status: 422,
      json: { based: ["must be the revision that this was made from"] },
    });
    expect((await loadMapping(wizard.runs.db, one.importId)).revision).toBe(0);
  });

  test("may be larger than other bodies, up to a limit", async () => {
    const one = await gathered();
    const choices = (count: number) => ({
      people: {
        choices: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`gone-${"x".repeat(100)}-${index}`, { to: "nobody" }]),
        ),
      },
    });
    const save = (count: number) => one.ask("PUT", "/mapping", { based: 0, mapping: choices(count) });
    expect((await save(2_000)).status).not.toBe(400);
    expect((await save(80_000)).status).toBe(400);
    expect((await one.ask("POST", "/sample/records", { url: "x".repeat(100_000) })).status).toBe(400);
  });

  test("does not change the import's status when saved", async () => {
    const one = await gathered();
    await wizard.runs.db.pool.query(
      "update imports set status = 'sample_completed', sample_copy = 'all' where id = $1",
      [one.importId],
    );
    expect((await one.ask("PUT", "/mapping", { based: 0, mapping: only("users") })).status).toBe(200);
    expect(await one.status()).toBe("sample_completed");
    expect(await one.dispatch()).toEqual([]);
  });
});

describe("people", () => {
  interface Page {
    readonly people: { person: { id: string; name: string }; choice: object | null }[];
    readonly next: string | null;
  }

  test("lists pages, searches by words, and filters undecided people", async () => {
    const one = await gathered();
    const ids: string[] = [];
    let next: string | null = null;
    do {
      const page: Page = (
        await one.ask("GET", `/mapping/people?side=source&limit=3${next === null ? "" : `&after=${next}`}`)
      ).json as Page;
      ids.push(...page.people.map(({ person }) => person.id));
      next = page.next;
    } while (next !== null);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    const list = async (more: string) =>
      (await one.ask("GET", `/mapping/people?side=source${more}`)).json as Page;
    const [first] = (await list("")).people;
    const found = await list(`&search=${encodeURIComponent(first?.person.name ?? "")}`);
    expect(found.people.map(({ person }) => person.id)).toContain(first?.person.id);
    expect((await list("&search=zzzz")).people).toEqual([]);
    const mapping = { people: { choices: { [ids[0] ?? ""]: { to: "nobody" } } } };
    expect((await one.ask("PUT", "/mapping", { based: 0, mapping })).status).toBe(200);
    expect((await list("&show=open")).people.map(({ person }) => person.id)).toEqual(ids.slice(1));
    expect((await list("&show=all")).people[0]).toMatchObject({ choice: { to: "nobody" } });
    expect((await one.ask("GET", "/mapping/people?side=destination")).status).toBe(200);
    expect((await list("&show=chosen")).people.map(({ person }) => person.id)).toEqual([ids[0]]);
  });

  test("lists all suggested matches at once", async () => {
    const one = await gathered({ destination: { counts: { users: 2 } } });
    expect(await one.ask("GET", "/mapping/people/suggested")).toMatchObject({
      status: 200,
      json: { matches: expect.arrayContaining([["1", "1"]]) },
    });
  });

  test("go out as a list and come back with matches, which nothing saves", async () => {
    const one = await gathered({ destination: { counts: { users: 2 } } });
    const answer = await one.open("/mapping/people.csv");
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="people-${one.importId}.csv"`,
    );
    const text = await answer.text();
    expect(text.split("\r\n")).toHaveLength(6);
    const send = (file: unknown) => one.ask("POST", "/mapping/people/file", { text: file });
    expect(await send(text)).toMatchObject({
      status: 200,
      json: { choices: {}, unchanged: 4, problems: [], problemCount: 0 },
    });
    expect(await send("id,match\n1,nobody\n2,id:1\n3,who\n")).toMatchObject({
      status: 200,
      json: {
        choices: { "1": { to: "nobody" }, "2": { to: "person", id: "1" } },
        problems: [{ row: 4, value: "who", reason: "nobody_there" }],
      },
    });
    expect((await shown(one)).revision).toBe(0);
    for (const [refused, rule] of [
      ["name\nRobin", "must have the columns “match”, and “id” or “email”"],
      [`id,match${",".repeat(49)}\n1,nobody`, "must have at most 50 columns"],
      [`id,match\n${"1,nobody\n".repeat(50_001)}`, "must have at most 50000 rows"],
      [
        'id,match\n1,"nobody',
        "can't be read from row 2 on: a quotation mark is not closed, or the row is too long",
      ],
      [7, "must be the text of the file"],
    ] as const)
      expect(await send(refused)).toMatchObject({ status: 422, json: { text: [rule] } });
  });

  test("422 for an invalid query, 409 for a page of a replaced list", async () => {
    const one = await gathered();
    for (const [query, name] of [
      ["", "side"],
      ["side=both", "side"],
      ["side=source&limit=0", "limit"],
      ["side=source&limit=201", "limit"],
      ["side=source&show=some", "show"],
      [`side=source&search=${"x".repeat(201)}`, "search"],
    ] as const)
      expect(await one.ask("GET", `/mapping/people?${query}`), query).toMatchObject({
        status: 422,
        json: { [name]: [expect.any(String)] },
      });
    const { next } = (await one.ask("GET", "/mapping/people?side=source&limit=1")).json as Page;
    await one.ask("POST", "/mapping/facts?anew=true");
    expect(await one.ask("GET", `/mapping/people?side=source&after=${next ?? ""}`)).toMatchObject({
      status: 409,
    });
  });
});

test("every route requires the link", async () => {
  const one = await gathered();
  const other = await begin();
  const requests = one.source.stats().requests;
  for (const [method, path] of [
    ["GET", "/mapping"],
    ["PUT", "/mapping"],
    ["POST", "/mapping/facts?anew=true"],
    ["GET", "/mapping/people?side=source"],
    ["GET", "/mapping/people.csv"],
    ["POST", "/mapping/people/file"],
    ["POST", "/mapping/preview"],
    ["GET", "/sample"],
    ["GET", "/sample/records?stream=tickets"],
    ["GET", "/sample/changes"],
    ["POST", "/sample/records"],
  ] as const) {
    const at = (importId: string) => `${wizard.origin}/wizard/api/imports/${importId}${path}`;
    for (const authorization of ["", `Bearer ${other.token}`])
      expect((await fetch(at(one.importId), { method, headers: { authorization } })).status, path).toBe(401);
    const headers = { authorization: `Bearer ${one.token}` };
    expect((await fetch(at("imp_unknown"), { method, headers })).status, path).toBe(404);
  }
  expect(one.source.stats().requests).toBe(requests);
});
