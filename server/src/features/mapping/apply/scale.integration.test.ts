import { helpdesk } from "@portage/connector-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../test/support/database.ts";
import { testSealer } from "../../../../../test/support/fixtures.ts";
import { compileMapping } from "./compile-mapping.ts";
import { gatherFacts } from "../facts/gather-facts.ts";
import { listSourcePeople } from "../facts/list-people.ts";
import { emptyMapping } from "../model/mapping.ts";
import { saveFacts } from "../facts/store-facts.ts";
import { loadMapping, saveMapping } from "../model/store.ts";
import { suggestFields } from "../suggest/suggest-fields.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { suggestPeople } from "../suggest/suggest-people.ts";
import { crowd, crowdedSides, destinationFields, recordAt, sourceFields } from "../testing/crowd.ts";
import { givenImport } from "../../../../../test/support/given-import.ts";
import { validateMapping } from "../validate/validate-mapping.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("5,000 people are matched", () => {
  const source = crowd("s");
  const destination = crowd("d");
  expect(suggestPeople(source, destination).every((each) => each.kind === "match")).toBe(true);
});

test("400 fields are matched with 400", () => {
  const found = suggestFields(sourceFields, destinationFields);
  expect(found.filter(({ to, key }) => to === key.replace("s", "d"))).toHaveLength(400);
});

test("the whole path at 5,000 people and 400 fields: gather, save, list, validate, apply", async () => {
  const { source, destination } = crowdedSides();
  const facts = await gatherFacts(source, destination, "helpdesk");
  const needs = { db, sealer };
  const id = await givenImport(db, sealer);
  await saveFacts(needs, id, facts);
  const mapping = suggestMapping(facts);
  expect(Object.keys(mapping.people.choices)).toHaveLength(5_000);
  expect(validateMapping(mapping, facts)).toMatchObject({ kind: "valid", warnings: [] });
  await saveMapping(db, id, { mapping, based: 0, actor: "system" });
  expect((await loadMapping(db, id)).mapping).toEqual(mapping);

  const question = { mapping: emptyMapping, show: "all", search: "", after: null, limit: 50 } as const;
  const page = await listSourcePeople(needs, id, question);
  expect(page.kind === "page" && page.people).toHaveLength(50);

  const { apply } = compileMapping(mapping);
  expect(apply(helpdesk.tickets, recordAt(7)).changes).toEqual([]);
  expect(Object.keys(apply(helpdesk.tickets, recordAt(7)).record.customFields)).toHaveLength(40);
});
