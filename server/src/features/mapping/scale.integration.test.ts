import { customFieldTypes, type FamilyRecord, helpdesk } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { testSealer } from "../../../../test/support/fixtures.ts";
import { compileMapping } from "./compile-mapping.ts";
import { prepare } from "./field-likeness.ts";
import { emailKey, nameKey } from "./fold.ts";
import { gatherFacts } from "./gather-facts.ts";
import { listSourcePeople } from "./list-people.ts";
import { emptyMapping } from "./mapping.ts";
import { loadFacts, saveFacts } from "./store-facts.ts";
import { loadMapping, saveMapping } from "./store.ts";
import { suggestFields } from "./suggest-fields.ts";
import { suggestMapping } from "./suggest-mapping.ts";
import { suggestPeople } from "./suggest-people.ts";
import { field, person } from "./testing/facts-for.ts";
import { givenImport } from "../../../../test/support/given-import.ts";
import { destinationOf, sideWith, sourceOf, ticket } from "./testing/memory-connector.ts";
import { validateMapping } from "./validate-mapping.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** The fastest of several: others use this machine as well. */
const fastest = async (work: () => unknown): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    await work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
};

const first = ["Robin", "Kim", "Sam", "José", "Zoë", "Jürgen", "Ana", "Łukasz"];
const last = ["Sample", "Example", "Groß", "Núñez", "Day", "Low"];
const crowd = (prefix: string) =>
  Array.from({ length: 5_000 }, (_, i) =>
    person(`${prefix}${i}`, `${first[i % 8]} ${last[i % 6]} ${i}`, i % 3 === 0 ? null : `P${i}@acme.example`),
  );

const words = ["order", "bike", "warranty", "store", "model", "color", "price", "region", "team", "shelf"];
const fieldsOf = (prefix: string) =>
  Array.from({ length: 400 }, (_, i) =>
    field(
      `${prefix}${i}`,
      `${words[i % 10]} ${words[(i * 7 + 3) % 10]} ${i}`,
      customFieldTypes[i % 7] ?? "text",
    ),
  );

const valueFor = (type: string, i: number) => {
  if (type === "number") return i;
  if (type === "boolean") return i % 2 === 0;
  return type === "date" ? "2026-11-15" : type === "moment" ? "2026-11-15T09:41:00Z" : `value ${i}`;
};

const sourceFields = fieldsOf("s");
const destinationFields = fieldsOf("d");

/** Each holds 40 of the 400 fields. */
const recordAt = (index: number): FamilyRecord =>
  ticket({
    id: String(index),
    status: `S${index % 9}`,
    customFields: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => sourceFields[(index * 13 + i * 7) % 400]).flatMap((each) =>
        each ? [[each.key, valueFor(each.type, index)]] : [],
      ),
    ),
  });

test("5,000 people are matched in the time that it takes to read their names a few times", async () => {
  const [source, destination] = [crowd("s"), crowd("d")];
  const baseline = await fastest(() =>
    [...source, ...destination].map(({ name, email }) => `${nameKey(name)} ${emailKey(email)}`),
  );
  const spent = await fastest(() => suggestPeople(source, destination));
  expect(suggestPeople(source, destination).every((each) => each.kind === "match")).toBe(true);
  expect(spent).toBeLessThan(baseline * 8);
});

test("400 fields are matched with 400 in the time of comparing the words of each pair", async () => {
  const [a, b] = [sourceFields.map(prepare), destinationFields.map(prepare)];
  const baseline = await fastest(() => {
    let common = 0;
    for (const one of a)
      for (const other of b) for (const word of one.words) if (other.words.has(word)) common += 1;
    return common;
  });
  const spent = await fastest(() => suggestFields(sourceFields, destinationFields));
  const found = suggestFields(sourceFields, destinationFields);
  expect(found.filter(({ to, key }) => to === key.replace("s", "d"))).toHaveLength(400);
  expect(spent).toBeLessThan(baseline * 15);
});

test("the whole way at 5,000 people and 400 fields: gathered, kept, listed, checked, applied", async () => {
  const records = Array.from({ length: 2_000 }, (_, i) => recordAt(i));
  const users = crowd("s").map((each) => helpdesk.users.make(each));
  const source = sideWith({
    source: {
      helpdesk: [
        sourceOf(helpdesk.users, users),
        sourceOf(helpdesk.tickets, records as never, { customFields: async () => sourceFields }),
      ],
    },
  });
  const there = crowd("d");
  const destination = sideWith({
    destination: {
      helpdesk: [
        destinationOf(helpdesk.users, { people: async () => there }),
        destinationOf(helpdesk.tickets, { customFields: async () => destinationFields }),
      ],
    },
  });
  const facts = await gatherFacts(source, destination, "helpdesk");
  const needs = { db, sealer };
  const id = await givenImport(db, sealer);
  await saveFacts(needs, id, facts);
  const mapping = suggestMapping(facts);
  expect(Object.keys(mapping.people.choices)).toHaveLength(5_000);
  expect(validateMapping(mapping, facts)).toMatchObject({ kind: "valid", warnings: [] });
  await saveMapping(db, id, { mapping, based: 0, actor: "system" });
  expect((await loadMapping(db, id)).mapping).toEqual(mapping);

  // A page opens a few sealed ones, not all.
  const question = { mapping: emptyMapping, show: "all", search: "", after: null, limit: 50 } as const;
  const whole = await fastest(() => loadFacts(needs, id));
  const page = await fastest(() => listSourcePeople(needs, id, question));
  expect(page).toBeLessThan(whole / 2);

  // Applying costs a few times as much as giving the fields other names, which is the least that must be done.
  const { apply, personFor } = compileMapping(mapping);
  const names = new Map(sourceFields.map(({ key }) => [key, key.replace("s", "d")]));
  const renamed = await fastest(() => {
    for (const record of records) {
      const customFields: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(record.customFields))
        customFields[names.get(key) ?? ""] = value;
      Object.assign({ ...record }, { customFields });
    }
  });
  const applied = await fastest(() => {
    for (const record of records) {
      apply(helpdesk.tickets, record);
      for (let i = 0; i < 5; i += 1) personFor({ stream: "users", id: `s${i}` });
    }
  });
  expect(applied).toBeLessThan(renamed * 6);
  expect(apply(helpdesk.tickets, recordAt(7)).changes).toEqual([]);
  expect(Object.keys(apply(helpdesk.tickets, recordAt(7)).record.customFields)).toHaveLength(40);
}, 60_000);
