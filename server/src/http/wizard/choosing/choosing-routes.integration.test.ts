import type { Connector } from "@portage/connector-kit";
import type {
  WizardChoices,
  WizardChoiceValues,
  WizardChosenCounts,
  WizardFound,
} from "@portage/contract/wizard";
import { describe, expect, test } from "vitest";
import { type RunWizard, useRunWizard } from "../../../../../test/support/run-wizard.ts";
import { loadFacts, loadMapping, suggestMapping } from "../../../features/mapping/index.ts";

const wizard = useRunWizard();
const counts = {
  users: 4,
  tickets: 30,
  comments: 20,
  contacts: 7,
  organizations: 0,
  groups: 0,
  articles: 3,
  attachments: 2,
};
const begin = (options: Parameters<typeof wizard.begin>[0] = {}) =>
  wizard.begin({ source: { counts }, ...options });
const everything = {
  streams: null,
  createdFrom: null,
  createdBefore: null,
  changedFrom: null,
  changedBefore: null,
  statuses: null,
  groups: null,
  tags: null,
};

const choices = async (one: RunWizard) => (await one.ask("GET", "/choices")).json as WizardChoices;
const found = async (one: RunWizard) =>
  (await one.ask("GET", "/connections/source/found")).json as Extract<WizardFound, { side: "source" }>;
const untilCounted = async (one: RunWizard) => {
  await expect.poll(async () => (await found(one)).counting, { timeout: 600_000 }).toBe(false);
  return found(one);
};
/** A destination that lacks some streams. */
const without =
  (...names: string[]) =>
  (connector: Connector<never>): Connector<never> => ({
    ...connector,
    destination: {
      helpdesk: (connector.destination?.helpdesk ?? []).filter(({ stream }) => !names.includes(stream.name)),
    },
  });

describe("the counts of the source tool", () => {
  test("cover every stream, and repeated requests share one count", async () => {
    const one = await begin();
    const { streams, trouble } = await untilCounted(one);
    expect(trouble).toBeNull();
    expect(Object.fromEntries(streams.map(({ name, count }) => [name, count]))).toEqual(counts);
    for (const { state, exact } of streams) expect([state, exact]).toEqual(["counted", true]);
    const { requests } = one.source.stats();
    await found(one);
    await choices(one);
    expect(one.source.stats().requests).toBe(requests);
    expect(one.source.stats().writes).toEqual({});
  });

  test("show partial results while counting, without guesses for the rest", async () => {
    const one = await begin({ source: { counts, latencyMs: 400 } });
    const early = await found(one);
    expect(early.counting).toBe(true);
    const waiting = early.streams.filter(({ state }) => state === "counting");
    expect(waiting.length).toBeGreaterThan(0);
    for (const { count } of waiting) expect(count).toBeNull();
    expect((await choices(one)).estimate).toBeNull();
    expect((await untilCounted(one)).streams.every(({ state }) => state === "counted")).toBe(true);
  });

  test("report a tool's failure in its own words, and the next request retries", async () => {
    const one = await begin();
    one.source.revoke(one.source.token);
    const stopped = await found(one);
    expect(stopped).toMatchObject({ counting: false, trouble: expect.any(String) });
    for (const { state, count } of stopped.streams) expect([state, count]).toEqual(["untold", null]);
    const before = one.source.stats().requests;
    await found(one);
    expect(one.source.stats().requests).toBeGreaterThan(before);
  });

  test("conflict when the side is not connected", async () => {
    const one = await begin();
    one.gone.add("source");
    for (const path of ["/connections/source/found", "/choices"])
      expect((await one.ask("GET", path)).status).toBe(409);
    expect((await one.ask("GET", "/connections/middle/found")).status).toBe(404);
  });
});

test("shows which streams the destination accepts, whether it is silent, and its remaining capacity", async () => {
  const one = await begin({
    changed: (connector) => ({
      ...connector,
      destination: {
        helpdesk: (connector.destination?.helpdesk ?? []).map((each) =>
          each.stream.name === "tickets"
            ? { ...each, guarantees: [], remainingCapacity: async () => 12 }
            : each,
        ),
      },
    }),
  });
  const { json } = await one.ask("GET", "/connections/destination/found");
  const { streams } = json as Extract<WizardFound, { side: "destination" }>;
  expect(streams.find(({ name }) => name === "tickets")).toEqual({
    name: "tickets",
    label: "Tickets",
    silent: false,
    room: 12,
  });
  expect(streams.find(({ name }) => name === "contacts")).toMatchObject({ room: null });
  expect(one.destination.stats()).toMatchObject({ writes: {}, written: 0 });
});

describe("choosing among records", () => {
  const untilRead = async (one: RunWizard) => {
    const ask = async () => (await one.ask("GET", "/choices/values")).json as WizardChoiceValues;
    await expect.poll(async () => (await ask()).state, { timeout: 600_000 }).toBe("read");
    return ask();
  };
  const count = async (one: RunWizard, selection: object) => {
    const answer = await one.ask("POST", "/choices/count", { selection: { ...everything, ...selection } });
    return answer.json as WizardChosenCounts;
  };
  const of = ({ streams }: WizardChosenCounts, name: string) => streams.find((each) => each.name === name);

  test("all values that records have, with their counts, and what a choice moves", async () => {
    const one = await begin();
    await untilCounted(one);
    const { all, statuses, tags } = await untilRead(one);
    expect(all).toBe(true);
    const sum = (statuses ?? []).reduce((total, each) => total + (each.count ?? 0), 0);
    expect(sum).toBe(counts.tickets);
    expect(tags).not.toBeNull();
    const [first] = statuses ?? [];
    const only = await count(one, { statuses: { mode: "only", values: [first?.value] } });
    expect(of(only, "tickets")).toEqual({
      name: "tickets",
      all: counts.tickets,
      chosen: first?.count,
      exact: true,
    });
    const except = await count(one, { statuses: { mode: "except", values: [first?.value] } });
    expect(of(except, "tickets")?.chosen).toBe(counts.tickets - (first?.count ?? 0));
    // What belongs to tickets follows them, about; what does not is not limited.
    expect(of(only, "comments")).toMatchObject({ all: counts.comments, exact: false });
    expect(of(only, "comments")?.chosen).toBeLessThan(counts.comments);
    expect(of(only, "contacts")).toMatchObject({ chosen: counts.contacts, exact: true });
    expect(only.price).toBeNull();
    expect(one.source.stats().writes).toEqual({});
    expect((await choices(one)).revision).toBe(0);
  });

  test("dates are counted by the tool itself", async () => {
    const one = await begin();
    await untilCounted(one);
    const none = await count(one, { changedFrom: new Date().toISOString() });
    expect(of(none, "tickets")).toMatchObject({ all: counts.tickets, chosen: 0, exact: true });
    const all = await count(one, { changedFrom: "1990-01-01T00:00:00.000Z" });
    expect(of(all, "tickets")).toMatchObject({ chosen: counts.tickets, exact: true });
    expect(of(all, "comments")).toMatchObject({ chosen: counts.comments, exact: false });
  });

  test("a stream that is left out moves nothing", async () => {
    const one = await begin();
    await untilCounted(one);
    expect(of(await count(one, { streams: ["contacts"] }), "tickets")?.chosen).toBe(0);
  });

  test("a source that refuses leaves the counts unknown, and the next request tries again", async () => {
    const one = await begin();
    await untilCounted(one);
    one.source.revoke(one.source.token);
    const { state } = (await one.ask("GET", "/choices/values")).json as WizardChoiceValues;
    expect(state).toBe("unavailable");
    const open = { statuses: { mode: "only", values: ["Open"] } };
    expect(of(await count(one, open), "tickets")).toMatchObject({ chosen: null, exact: false });
    one.gone.add("source");
    expect((await one.ask("GET", "/choices/values")).status).toBe(409);
  });

  test("a choice that can't be is refused", async () => {
    const one = await begin();
    const odd = { selection: { ...everything, statuses: { mode: "only", values: [] } } };
    expect((await one.ask("POST", "/choices/count", odd)).status).toBe(422);
  });
});

describe("choices", () => {
  test("show which streams can move, which can't and why, and which depend on each other", async () => {
    const one = await begin({ changed: without("articles") });
    await untilCounted(one);
    const { streams, revision, selection, dated, estimate } = await choices(one);
    expect({ revision, selection, dated }).toEqual({
      revision: 0,
      selection: everything,
      dated: ["tickets"],
    });
    const by = (name: string) => streams.find((each) => each.name === name);
    expect(by("tickets")).toMatchObject({ moves: "yes", count: 30, parent: null });
    expect(by("comments")).toMatchObject({ parent: "tickets", requires: [["tickets"]] });
    expect(by("articles")).toMatchObject({ moves: "not_taken", count: 3 });
    expect(by("contacts")?.missedBy).toContain("tickets");
    expect(estimate?.records).toBe(4 + 30 + 20 + 7 + 2);
  });

  test("show what copies keep, kind by kind, as the destination declares it", async () => {
    const one = await begin({
      changed: (connector) => ({
        ...connector,
        destination: {
          helpdesk: (connector.destination?.helpdesk ?? []).flatMap(({ remove, ...each }) => {
            if (each.stream.name === "articles") return [];
            if (each.stream.name === "contacts") return [each];
            const lacks = each.stream.name === "tickets" ? ["backdates"] : ["keeps-author"];
            const guarantees = each.guarantees.filter((held) => !lacks.includes(held));
            return [{ ...each, guarantees, ...(remove && { remove }) }];
          }),
        },
      }),
    });
    const { kinds } = await choices(one);
    const by = (name: string) => kinds.find((each) => each.name === name);
    const all = { silent: true, backdates: true, keepsAuthor: true, removable: true };
    expect(by("tickets")).toMatchObject({ ...all, backdates: false });
    expect(by("comments")).toMatchObject({ ...all, keepsAuthor: false });
    expect(by("contacts")).toMatchObject({ ...all, keepsAuthor: null, removable: false });
    expect(by("articles")).toBeUndefined();
  });

  test("offer no date range when the source tool can't report changes", async () => {
    const one = await begin({
      changedSource: (connector) => ({
        ...connector,
        source: {
          helpdesk: (connector.source?.helpdesk ?? []).map((each) => ({ ...each, delta: false })),
        },
      }),
    });
    await untilCounted(one);
    expect((await choices(one)).dated).toEqual([]);
  });
});

describe("saving", () => {
  const ready = async () => {
    const one = await begin();
    await one.ask("POST", "/mapping/facts");
    return one;
  };
  const save = (one: RunWizard, based: number, selection: object) =>
    one.ask("PUT", "/selection", { based, selection });
  const some = { ...everything, streams: ["users", "tickets"] };

  test("keeps other suggestions and decisions", async () => {
    const one = await ready();
    expect(await save(one, 0, some)).toMatchObject({ status: 200, json: { revision: 1 } });
    const { mapping } = await loadMapping(wizard.runs.db, one.importId);
    expect(mapping.selection).toEqual(some);
    const facts = await loadFacts({ db: wizard.runs.db, sealer: wizard.runs.sealer }, one.importId);
    const suggested = facts && suggestMapping(facts);
    expect(mapping.streams).toEqual(suggested?.streams);
    expect(mapping.people).toEqual(suggested?.people);
    expect(await choices(one)).toMatchObject({ revision: 1, selection: some });
  });

  test("from a stale revision conflicts: the second of two people sees what the first saved", async () => {
    const one = await ready();
    await save(one, 0, some);
    const mine = { ...everything, changedFrom: "2025-01-01T00:00:00.000Z" };
    const refused = await save(one, 0, mine);
    expect(refused).toMatchObject({
      status: 409,
      json: { error: { code: "conflict" }, current: { revision: 1, selection: some } },
    });
    expect((await choices(one)).selection).toEqual(some);
    expect(await save(one, 1, mine)).toMatchObject({ status: 200, json: { revision: 2 } });
    expect((await choices(one)).selection).toEqual(mine);
  });

  test("rejects selections that can't be executed", async () => {
    const one = await ready();
    expect(await save(one, 0, { ...everything, streams: ["comments"] })).toMatchObject({
      status: 422,
      json: { base: ["Comments can't be moved without Tickets."] },
    });
    expect(await save(one, 0, { ...everything, streams: [] })).toMatchObject({
      status: 422,
      json: { base: ["Choose what to move."] },
    });
    expect((await save(one, 0, { ...everything, changedFrom: "yesterday" })).status).toBe(422);
    expect((await one.ask("PUT", "/selection", { selection: everything })).status).toBe(422);
    expect((await choices(one)).revision).toBe(0);
  });
});
