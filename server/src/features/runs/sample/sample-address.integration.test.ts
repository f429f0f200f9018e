import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { copiesIn, createSampleFixture } from "../../../../../test/runs/sample-fixture.ts";
import { createAddToSample } from "../index.ts";

let fixture: Awaited<ReturnType<typeof createSampleFixture>>;
beforeAll(async () => {
  fixture = await createSampleFixture();
});
afterEach(() => fixture.closeTools());
afterAll(() => fixture.drop());

const bounds = {
  chosen: 3,
  candidates: 30,
  peeked: 3,
  searched: 1_000,
  childrenPerParent: 200,
  records: 500,
};
const { signal } = new AbortController();

type One = Awaited<ReturnType<(typeof fixture)["begin"]>>;

const adding = (one: One, includes = (_: string) => true) => {
  const add = createAddToSample({ db: fixture.db, openSide: one.openSide });
  return (url: string) => add({ importId: one.importId, family: "helpdesk", url, includes }, signal);
};

test("a record added by its address is copied with all its parts, by every later sample", async () => {
  const one = await fixture.begin({ hostile: false }, {}, { sampleBounds: bounds });
  const add = adding(one);
  expect(await add(`${one.source.url}/show/tickets/300`)).toEqual({
    kind: "added",
    stream: "tickets",
    id: "300",
  });
  // Added twice, it counts once.
  expect(await add(`${one.source.url}/show/tickets/300`)).toMatchObject({ kind: "added" });
  const comments = one.source.source.get("comments");
  comments?.add({ ...comments.find("1"), ticketId: "300" } as never);
  for (const round of [1, 2]) {
    if (round === 1) await one.run({ type: "sample_started" });
    else await one.again();
    const added = (await one.sampled()).find(({ why }) => why === "added");
    expect(added).toEqual({ stream: "tickets", id: "300", why: "added" });
    expect((await one.sampled()).filter(({ why }) => why === "chosen").length).toBeLessThanOrEqual(3);
    expect(await one.results("tickets")).toContainEqual(
      expect.objectContaining({ sourceId: "300", why: "added", state: "written" }),
    );
    const sampled = (await one.sampled()).filter(({ stream }) => stream === "comments").map(({ id }) => id);
    const belonging = (comments?.after(0, 1_000, () => true) ?? []).filter(
      (each) => (each as unknown as { ticketId: string }).ticketId === "300",
    );
    expect(sampled).toEqual(expect.arrayContaining(belonging.map(({ id }) => id)));
    expect(belonging.length).toBeGreaterThan(0);
  }
  expect(one.destination.stats()).toMatchObject({ duplicates: 0 });
});

test("an added record that is gone from the source is reported, not dropped", async () => {
  const one = await fixture.begin({ hostile: false }, {}, { sampleBounds: bounds });
  await adding(one)(`${one.source.url}/show/tickets/300`);
  one.source.source.get("tickets")?.remove("300");
  await one.run({ type: "sample_started" });
  expect(await one.status()).toBe("sample_completed");
  expect(await one.results("tickets")).toContainEqual(
    expect.objectContaining({ sourceId: "300", state: "skipped", reason: "source_deleted", source: null }),
  );
});

test("an address that can't be added is refused, and changes nothing", async () => {
  const one = await fixture.begin({}, {}, { sampleBounds: bounds });
  const add = adding(one);
  const at = (path: string) => `${one.source.url}/show/${path}`;
  for (const url of [
    "",
    "tickets/300",
    "https://elsewhere.example/show/tickets/300",
    at("tickets/30%2f0"),
    at("nothing/3"),
    at("tickets/../tickets/300"),
    at("tickets/300").replace("//", "//user@"),
    at("tickets/3 OR 1=1"),
  ])
    expect(await add(url), url).toEqual({ kind: "not_recognised" });
  expect(await add(at("tickets/999999"))).toEqual({ kind: "not_found" });
  const narrow = adding(one, (stream) => stream !== "articles");
  expect(await narrow(at("articles/1"))).toEqual({ kind: "not_included", stream: "articles" });
  one.source.revoke(one.source.token);
  expect(await add(at("tickets/300"))).toEqual({ kind: "not_connected" });
  one.gone.add("source");
  expect(await add(at("tickets/300"))).toEqual({ kind: "not_connected" });
  expect(await one.sampled()).toEqual([]);
});

test("nothing can be added while the tool does not answer", async () => {
  const one = await fixture.begin({ faults: { error: 1 } });
  expect(await adding(one)(`${one.source.url}/show/tickets/300`)).toEqual({ kind: "unavailable" });
});

test("more than a person looks at can't be added, even concurrently", async () => {
  const one = await fixture.begin({ hostile: false }, {}, { sampleBounds: bounds });
  const add = adding(one);
  const kinds = await Promise.all(
    Array.from({ length: 24 }, (_, index) => add(`${one.source.url}/show/tickets/${index + 1}`)),
  );
  expect(kinds.filter(({ kind }) => kind === "added")).toHaveLength(20);
  expect(kinds.filter(({ kind }) => kind === "full")).toHaveLength(4);
  expect(await one.sampled()).toHaveLength(20);
});

test("a removed copy does not come back because its link's target now exists", async () => {
  const one = await fixture.begin({ hostile: false }, {}, { sampleBounds: bounds });
  const tickets = one.source.source.get("tickets");
  const updatedAt = "2016-01-01T00:00:00.000Z";
  const linkTo = (id: string) => ({
    updatedAt,
    description: {
      format: "plain",
      text: `See #${id}.`,
      references: [{ kind: "link", url: `#${id}`, to: { stream: "tickets", id } }],
    },
  });
  // 300 brings 310 along, whose own link leads out of the sample.
  tickets?.update("300", linkTo("310"));
  tickets?.update("310", linkTo("320"));
  const add = adding(one);
  await add(`${one.source.url}/show/tickets/300`);
  await one.run({ type: "sample_started" });
  const sourceIds = async () => (await one.results("tickets")).map(({ sourceId }) => sourceId);
  expect(await sourceIds()).toContain("310");
  expect(await sourceIds()).not.toContain("320");

  tickets?.remove("300");
  await add(`${one.source.url}/show/tickets/320`);
  await one.again();
  expect(await sourceIds()).toContain("320");
  expect(await sourceIds()).not.toContain("310");
  const { rows } = await fixture.db.pool.query(
    "select state from ledger where import_id = $1 and stream = 'tickets' and source_id = '310'",
    [one.importId],
  );
  expect(rows).toEqual([{ state: 5 }]);
  // The copy of 300 stays, and stays known, though its original is gone.
  expect(await sourceIds()).toContain("300");
  const there = (await one.results("tickets")).filter(({ destination }) => destination).length;
  expect(copiesIn(one.destination, "tickets")).toHaveLength(there);
});
