import type { Person } from "@portage/connector-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../test/support/database.ts";
import { testSealer } from "../../../../../test/support/fixtures.ts";
import { SealError } from "../../../platform/seal.ts";
import type { Facts } from "../model/facts.ts";
import { listDestinationPeople, listSourcePeople, type ShowPeople } from "./list-people.ts";
import { emptyMapping, mappingSchema } from "../model/mapping.ts";
import { forgetFacts, loadFacts, saveFacts } from "./store-facts.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { factsFor, field, options, person } from "../testing/facts-for.ts";
import { givenImport } from "../../../../../test/support/given-import.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const crowd = (count: number, prefix: string): readonly Person[] =>
  Array.from({ length: count }, (_, i) => person(`${prefix}${i}`, `Élise Number${i}`, `e${i}@acme.example`));

const facts = factsFor(
  { tickets: { sourceFields: [{ ...field("a", "Store", "choice", options("Hill")), used: 3 }] } },
  { source: crowd(450, "s"), destination: crowd(430, "d") },
);

const given = async (about: Facts = facts) => {
  const id = await givenImport(db, sealer);
  expect(await saveFacts({ db, sealer }, id, about)).toBe(true);
  return id;
};

const needs = () => ({ db, sealer });
const all = { after: null, limit: 1_000, search: "" };

describe("facts", () => {
  test("are loaded as they were saved, and new ones replace them", async () => {
    const id = await given();
    expect(await loadFacts(needs(), id)).toEqual(facts);
    const fewer = factsFor({}, { source: crowd(3, "s"), destination: [] });
    await saveFacts(needs(), id, fewer);
    expect(await loadFacts(needs(), id)).toEqual(fewer);
  });

  test("of a missing import are not saved", async () => {
    expect(await saveFacts(needs(), "imp_00000000000000000000000000", facts)).toBe(false);
    expect(await loadFacts(needs(), "imp_00000000000000000000000000")).toBeUndefined();
  });

  test("are gone once erased, people included", async () => {
    const id = await given();
    await needs()
      .db.sql.transaction()
      .execute((tx) => forgetFacts(tx, id));
    expect(await loadFacts(needs(), id)).toBeUndefined();
    const { rows } = await db.pool.query("select 1 from mapping_people where import_id = $1", [id]);
    expect(rows).toEqual([]);
    expect(await listDestinationPeople(needs(), id, all)).toEqual({ kind: "missing" });
  });

  test("can't be read in the database, nor opened as another import's or as another page", async () => {
    const id = await given();
    const other = await given();
    const { rows } = await db.pool.query<{ bytes: Buffer }>(
      `select facts as bytes from mapping_facts where import_id = $1
       union all select people from mapping_people where import_id = $1`,
      [id],
    );
    for (const { bytes } of rows)
      for (const word of ["lise", "acme", "Store", "Hill"]) expect(bytes.includes(word)).toBe(false);
    await db.pool.query(
      `update mapping_facts a set facts = b.facts from mapping_facts b where a.import_id = $1 and b.import_id = $2`,
      [other, id],
    );
    await expect(loadFacts(needs(), other)).rejects.toThrow(SealError);
    await db.pool.query(
      `update mapping_people a set people = b.people from mapping_people b
       where a.import_id = $1 and b.import_id = $1 and a.side = 'source' and b.side = 'source' and a.page = 0 and b.page = 1`,
      [id],
    );
    await expect(loadFacts(needs(), id)).rejects.toThrow(SealError);
  });

  test("belong to one gathering, however many processes gather at the same time", async () => {
    const id = await given();
    const versions = [3, 250, 450].map((count) =>
      factsFor({}, { source: crowd(count, `v${count}-`), destination: [] }),
    );
    const reads: (Facts | undefined)[] = [];
    await Promise.all([
      ...Array.from({ length: 12 }, (_, i) => saveFacts(needs(), id, versions[i % 3] as Facts)),
      ...Array.from({ length: 12 }, async () => void reads.push(await loadFacts(needs(), id))),
    ]);
    const known = new Set([facts, ...versions].map(({ people }) => JSON.stringify(people.source)));
    for (const read of reads) expect(known.has(JSON.stringify(read?.people.source))).toBe(true);
  });
});

describe("lists", () => {
  test.each([1, 7, 100, 449, 450, 1_000])("in pages of %d hold each person once, in order", async (limit) => {
    const id = await given();
    const seen: string[] = [];
    for (let after: string | null = null, pages = 0; pages < 500; pages += 1) {
      const answer = await listSourcePeople(needs(), id, {
        mapping: emptyMapping,
        show: "all",
        search: "",
        limit,
        after,
      });
      if (answer.kind !== "page") throw new Error(answer.kind);
      expect(answer.people.length).toBeLessThanOrEqual(limit);
      seen.push(...answer.people.map((each) => each.person.id));
      after = answer.next;
      if (after === null) break;
    }
    expect(seen).toEqual(facts.people.source.map((each) => each.person.id));
  });

  test("find people by parts of their name and address, ignoring case and accents", async () => {
    const id = await given();
    const find = async (search: string) => {
      const answer = await listDestinationPeople(needs(), id, { ...all, search });
      return answer.kind === "page" ? answer.people.map((each) => each.id) : answer;
    };
    expect(await find("ELISE number42")).toEqual(["d42", ...Array.from({ length: 10 }, (_, i) => `d42${i}`)]);
    expect(await find("e429@acme")).toEqual(["d429"]);
    expect(await find("zzzz")).toEqual([]);
  });

  test("show the suggestion, the decision, and the person that it means", async () => {
    const id = await given(
      factsFor(
        {},
        {
          source: [person("1", "Jo Day", "jo@a.example"), person("2", "Kim Low"), person("3", "Sam Lee")],
          destination: [person("70", "Jo Day", "jo@a.example"), person("99", "Support inbox")],
        },
      ),
    );
    const mapping = mappingSchema.parse({
      people: { choices: { "1": { to: "person", id: "70" }, "3": { to: "default" } }, defaultId: "99" },
    });
    const list = async (show: ShowPeople) => {
      const answer = await listSourcePeople(needs(), id, { ...all, mapping, show });
      return answer.kind === "page" ? answer.people : [];
    };
    expect(await list("all")).toEqual([
      {
        person: person("1", "Jo Day", "jo@a.example"),
        suggestion: { kind: "match", id: "70", confidence: 1, why: "same_email" },
        choice: { to: "person", id: "70" },
        chosen: person("70", "Jo Day", "jo@a.example"),
        candidates: [person("70", "Jo Day", "jo@a.example")],
      },
      expect.objectContaining({ choice: null, chosen: null }),
      expect.objectContaining({ choice: { to: "default" }, chosen: person("99", "Support inbox") }),
    ]);
    const ids = async (show: ShowPeople) => (await list(show)).map((each) => each.person.id);
    expect(await ids("open")).toEqual(["2"]);
    expect(await ids("decided")).toEqual(["1", "3"]);
    expect(await ids("exact")).toEqual(["1"]);
    expect(await ids("likely")).toEqual([]);
    expect(await ids("chosen")).toEqual(["3"]);
  });

  test("start over after new facts, and with an invalid cursor", async () => {
    const id = await given();
    const page = await listDestinationPeople(needs(), id, { ...all, limit: 5 });
    const after = page.kind === "page" ? page.next : null;
    expect(await listDestinationPeople(needs(), id, { ...all, after })).toMatchObject({ kind: "page" });
    await saveFacts(needs(), id, facts);
    expect(await listDestinationPeople(needs(), id, { ...all, after })).toEqual({ kind: "gathered_anew" });
    for (const odd of ["", "x", "1", "1.-1", "1.2.3", "9".repeat(30)])
      expect(await listDestinationPeople(needs(), id, { ...all, after: odd })).toEqual({
        kind: "gathered_anew",
      });
  });
});

test("the suggested mapping agrees with each person's suggestion", async () => {
  const id = await given();
  const mapping = suggestMapping(facts);
  const answer = await listSourcePeople(needs(), id, { ...all, mapping, show: "open" });
  expect(answer).toMatchObject({ kind: "page", next: null });
  expect(answer.kind === "page" && answer.people.map((each) => each.person.id)).toEqual(
    Array.from({ length: 20 }, (_, i) => `s${430 + i}`),
  );
});
