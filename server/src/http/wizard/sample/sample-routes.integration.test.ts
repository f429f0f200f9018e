import type { WizardSampleChanges } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { refusing } from "../../../../../test/runs/refusing.ts";
import { useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { compileMapping, mappingSchema, saveFacts, saveMapping } from "../../../features/mapping/index.ts";
import { factsFor } from "../../../features/mapping/testing/facts-for.ts";

const wizard = useRunWizard();
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
  wizard.begin({ source: { counts }, status: "waiting_for_sample", ...options });

interface Record {
  readonly id: string;
  readonly parts: { stream: string; label: string; records: number; missing: number }[];
  readonly state: string;
  readonly fields: { field: string; label: string; before: unknown; after: unknown }[];
}
interface Page {
  readonly records: Record[];
  readonly next: string | null;
}

const hostile = '<img src=x onerror=alert(1)></script><script>alert("2")</script>';

test("responses are empty before the first sample", async () => {
  const one = await begin();
  expect(await one.ask("GET", "/sample")).toMatchObject({
    status: 200,
    json: { coverage: null, counts: [] },
  });
  expect(await one.ask("GET", "/sample/records?stream=tickets")).toMatchObject({
    status: 200,
    json: { records: [], next: null },
  });
});

test("compares each record field by field under the mapping that produced it, with links to both tools", async () => {
  const mapping = mappingSchema.parse({
    streams: {
      tickets: {
        fields: { cf_old: { as: "field", to: "cf_new" } },
        source: { cf_old: { label: "Old place", type: "text" } },
        destination: { cf_new: { label: "New place", type: "text" } },
      },
    },
  });
  const { apply } = compileMapping(mapping);
  const one = await begin({ mapping: { revision: 1, apply } });
  const { db } = wizard.runs;
  await saveMapping(db, one.importId, { mapping, based: 0, actor: "customer" });
  const odd = { subject: hostile, customFields: { cf_old: "kept" } };
  one.source.source.get("tickets")?.update("7", odd);
  await one.ask("POST", "/sample/records", { url: `${one.source.url}/show/tickets/7` });
  await one.run({ type: "sample_started" });
  // Later decisions do not change the mapping of this sample.
  await saveMapping(db, one.importId, { mapping: mappingSchema.parse({}), based: 1, actor: "customer" });

  const { json } = await one.ask("GET", "/sample");
  const { coverage, counts: counted } = json as {
    coverage: { chosen: object[] };
    counts: { stream: string; records: number; state: string }[];
  };
  expect(coverage.chosen.length).toBeGreaterThan(0);
  const tickets = counted.filter(({ stream }) => stream === "tickets");
  expect(tickets.every(({ state }) => state === "written")).toBe(true);

  const seen: Record[] = [];
  for (let after = ""; ; ) {
    const answer = await one.ask("GET", `/sample/records?stream=tickets&limit=4${after}`);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    const page = answer.json as Page;
    expect(page.records.length).toBeLessThanOrEqual(4);
    seen.push(...page.records);
    if (page.next === null) break;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
  expect(seen).toHaveLength(tickets.reduce((sum, { records }) => sum + records, 0));
  const comments = seen.flatMap(({ parts }) => parts).filter(({ stream }) => stream === "comments");
  expect(comments.every(({ label, missing }) => label === "Comments" && missing === 0)).toBe(true);
  expect(comments.reduce((sum, { records }) => sum + records, 0)).toBe(
    counted.filter(({ stream }) => stream === "comments").reduce((sum, { records }) => sum + records, 0),
  );
  expect(tickets[0]).toMatchObject({ label: "Tickets" });
  const seven = seen.find(({ id }) => id === "7");
  expect(seven).toMatchObject({
    stream: "tickets",
    why: "added",
    state: "written",
    reason: null,
    detail: null,
    title: hostile,
    destinationId: expect.any(String),
    sourceUrl: `${one.source.url}/show/tickets/7`,
    destinationUrl: expect.stringMatching(`^${one.destination.url}/show/tickets/`),
  });
  expect(seven?.fields).toContainEqual(
    expect.objectContaining({ field: "subject", before: hostile, after: hostile }),
  );
  expect(seven?.fields).toContainEqual({
    field: "customFields.cf_old",
    label: "Old place",
    before: "kept",
    after: "kept",
    change: "matched",
    why: "Now in “New place”.",
  });
});

test("shows a value of the new tool by the label that people see there", async () => {
  const mapping = mappingSchema.parse({
    streams: { tickets: { words: { status: { new: { to: "9" } } }, source: {}, destination: {} } },
  });
  const { apply } = compileMapping(mapping);
  const one = await begin({ mapping: { revision: 1, apply } });
  const { db, sealer } = wizard.runs;
  await saveMapping(db, one.importId, { mapping, based: 0, actor: "customer" });
  const tickets = { destinationWords: { status: [{ value: "9", label: "On hold", kind: null }] } };
  await saveFacts({ db, sealer }, one.importId, factsFor({ tickets } as never));
  one.source.source.get("tickets")?.update("7", { status: "new" } as never);
  await one.ask("POST", "/sample/records", { url: `${one.source.url}/show/tickets/7` });
  await one.run({ type: "sample_started" });
  const { records } = (await one.ask("GET", "/sample/records?stream=tickets&limit=100")).json as Page;
  expect(records.find(({ id }) => id === "7")?.fields).toContainEqual(
    expect.objectContaining({ field: "status", before: "new", after: "On hold" }),
  );
});

test("a record that was not copied has a reason", async () => {
  const one = await begin({
    changed: (connector) =>
      refusing(connector, (stream) =>
        stream === "tickets" ? { kind: "rejected", code: "own_code", message: "No." } : null,
      ),
  });
  await one.run({ type: "sample_started" });
  const { records } = (await one.ask("GET", "/sample/records?stream=tickets")).json as Page;
  expect(records[0]).toMatchObject({
    state: "failed",
    reason: "own_code",
    detail: "No.",
    fields: [],
    destinationUrl: null,
  });
  const lost = records.flatMap(({ parts }) => parts).filter(({ stream }) => stream === "comments");
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.every(({ records: all, missing }) => all > 0 && missing === all)).toBe(true);
  const comments = (await one.ask("GET", "/sample/records?stream=comments")).json as Page;
  expect(comments.records[0]).toMatchObject({
    state: "skipped",
    reason: "parent_missing",
    detail: null,
  });
});

test("422 for an unknown stream or page", async () => {
  const one = await begin();
  for (const [query, name] of [
    ["", "stream"],
    ["stream=nothing", "stream"],
    ["stream=tickets&limit=0", "limit"],
    ["stream=tickets&limit=999", "limit"],
    ["stream=tickets&after=%00", "after"],
  ] as const)
    expect(await one.ask("GET", `/sample/records?${query}`), query).toMatchObject({
      status: 422,
      json: { [name]: [expect.any(String)] },
    });
});

test("adds a record by its address, or explains why it can't", async () => {
  const one = await begin();
  const add = (url: unknown) => one.ask("POST", "/sample/records", { url });
  const at = (path: string) => `${one.source.url}/show/${path}`;
  const refused = (message: string) => ({ status: 409, json: { error: { code: "conflict", message } } });
  expect(await add(at("tickets/9"))).toMatchObject({ status: 200, json: { stream: "tickets", id: "9" } });
  expect(await add("https://elsewhere.example/show/tickets/9")).toMatchObject(
    refused("This is not the address of a record in the old tool that is connected."),
  );
  expect(await add(at("tickets/999999"))).toMatchObject(
    refused("There is no such record, or the account that is connected may not see it."),
  );
  for (const url of ["", 7, "x".repeat(5_000)])
    expect(await add(url)).toMatchObject({ status: 422, json: { url: [expect.any(String)] } });
  const { db } = wizard.runs;
  const mapping = mappingSchema.parse({ selection: { streams: ["users"] } });
  await saveMapping(db, one.importId, { mapping, based: 0, actor: "customer" });
  expect(await add(at("tickets/9"))).toMatchObject(refused("Tickets are not part of this move."));
  one.source.weather.begin({ ms: 60_000, status: 503 });
  expect((await add(at("users/1"))).status).toBe(503);
  one.gone.add("source");
  expect(await add(at("users/1"))).toMatchObject(refused("Connect the old tool first."));
  expect((await one.ask("GET", "/sample")).json).toMatchObject({
    counts: [{ stream: "tickets", why: "added", state: null, records: 1 }],
  });
});

test("lists changed fields of the sample by field and reason, with the number of records and an example", async () => {
  const one = await begin();
  const long = { subject: "x".repeat(300), customFields: {} };
  for (const id of ["7", "9"]) {
    one.source.source.get("tickets")?.update(id, long);
    await one.ask("POST", "/sample/records", { url: `${one.source.url}/show/tickets/${id}` });
  }
  expect((await one.ask("GET", "/sample/changes")).json).toEqual({ streams: [] });
  await one.run({ type: "sample_started" });
  const { streams } = (await one.ask("GET", "/sample/changes")).json as WizardSampleChanges;
  const tickets = streams.find(({ stream }) => stream === "tickets");
  expect(tickets).toMatchObject({ label: "Tickets" });
  expect(tickets?.changes).toContainEqual({
    field: "subject",
    label: "Subject",
    change: "truncated",
    count: 2,
    why: "The stand-in holds 255 characters here.",
    example: { id: "7", address: `${one.source.url}/show/tickets/7` },
  });
});
