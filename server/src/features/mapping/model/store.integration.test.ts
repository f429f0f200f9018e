import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../../test/support/database.ts";
import { testSealer } from "../../../../../test/support/fixtures.ts";
import { mappingForRun } from "../apply/mapping-for-run.ts";
import { emptyMapping, isKey, isWord, type Mapping, mappingSchema } from "./mapping.ts";
import { saveFacts } from "../facts/store-facts.ts";
import { loadMapping, loadRevision, saveMapping } from "./store.ts";
import { suggestMapping } from "../suggest/suggest-mapping.ts";
import { anyText } from "../testing/arbitraries.ts";
import { factsFor, field, person } from "../testing/facts-for.ts";
import { givenImport } from "../../../../../test/support/given-import.ts";

let db: TestDatabase;
const sealer = testSealer();
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const defaultTo = (defaultId: string): Mapping => mappingSchema.parse({ people: { defaultId } });

const save = (importId: string, based: number, mapping: Mapping) =>
  saveMapping(db, importId, { mapping, based, actor: "customer" });

const revisionsOf = async (importId: string) => {
  const { rows } = await db.pool.query<{ revision: number; actor: string }>(
    "select revision, actor from mapping_revisions where import_id = $1 order by revision",
    [importId],
  );
  return rows;
};

describe("revisions", () => {
  test("start empty at 0, and each save makes the next", async () => {
    const id = await givenImport(db, sealer);
    expect(await loadMapping(db, id)).toEqual({ revision: 0, mapping: emptyMapping });
    expect(await save(id, 0, defaultTo("1"))).toEqual({ kind: "saved", revision: 1 });
    expect(await save(id, 1, defaultTo("2"))).toEqual({ kind: "saved", revision: 2 });
    expect(await loadMapping(db, id)).toEqual({ revision: 2, mapping: defaultTo("2") });
    expect(await loadRevision(db, id, 1)).toEqual(defaultTo("1"));
    expect(await loadRevision(db, id, 0)).toEqual(emptyMapping);
    expect(await loadRevision(db, id, 3)).toBeUndefined();
    expect(await revisionsOf(id)).toEqual([
      { revision: 1, actor: "customer" },
      { revision: 2, actor: "customer" },
    ]);
  });

  test("a save based on an older one is stale, and answers the current one", async () => {
    const id = await givenImport(db, sealer);
    await save(id, 0, defaultTo("1"));
    const current = { revision: 1, mapping: defaultTo("1") };
    expect(await save(id, 0, defaultTo("2"))).toEqual({ kind: "stale", current });
    expect(await save(id, 7, defaultTo("2"))).toEqual({ kind: "stale", current });
    expect(await save(id, 7, defaultTo("1"))).toEqual({ kind: "stale", current });
    expect(await loadMapping(db, id)).toEqual(current);
  });

  test("of twenty concurrent saves one wins, and all others see it", async () => {
    const id = await givenImport(db, sealer);
    await save(id, 0, defaultTo("0"));
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => save(id, 1, defaultTo(`p${i}`))));
    const won = all.flatMap((each, i) => (each.kind === "saved" ? [i] : []));
    expect(won).toHaveLength(1);
    const current = { revision: 2, mapping: defaultTo(`p${won[0]}`) };
    expect(await loadMapping(db, id)).toEqual(current);
    for (const each of all) if (each.kind === "stale") expect(each.current).toEqual(current);
  });

  test("a save without changes makes none", async () => {
    const id = await givenImport(db, sealer);
    await save(id, 0, defaultTo("1"));
    expect(await save(id, 1, defaultTo("1"))).toEqual({ kind: "saved", revision: 1 });
    expect(await revisionsOf(id)).toHaveLength(1);
  });

  test("those that a run used are kept, and the last twenty of the others", async () => {
    const id = await givenImport(db, sealer);
    for (let based = 0; based < 30; based += 1) {
      await save(id, based, defaultTo(`p${based}`));
      if (based === 4) expect(await mappingForRun({ db, sealer }, id)).toMatchObject({ revision: 5 });
    }
    const kept = (await revisionsOf(id)).map(({ revision }) => revision);
    expect(kept).toEqual([5, ...Array.from({ length: 20 }, (_, i) => 11 + i)]);
    expect(await loadRevision(db, id, 5)).toEqual(defaultTo("p4"));
    expect(await loadRevision(db, id, 6)).toBeUndefined();
  });

  test("of one import are not visible to another", async () => {
    const a = await givenImport(db, sealer);
    const b = await givenImport(db, sealer);
    await save(a, 0, defaultTo("1"));
    expect((await loadMapping(db, b)).revision).toBe(0);
  });

  test("any words and keys load as they were saved", async () => {
    const id = await givenImport(db, sealer);
    const keys = anyText.filter(isKey);
    const words = anyText.filter(isWord);
    const anyMapping = fc
      .record({
        choices: fc.dictionary(keys, fc.constantFrom({ to: "copy" }, { to: "person", id: "70" })),
        fields: fc.dictionary(keys, fc.constantFrom({ as: "note" }, { as: "field", to: "x" })),
        words: fc.dictionary(words, fc.record({ to: words })),
        fills: fc.dictionary(keys, fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null))),
      })
      .map(({ choices, fields, words: status, fills }) =>
        mappingSchema.parse({
          people: { choices },
          streams: { tickets: { fields, words: { status }, fills } },
        }),
      );
    await fc.assert(
      fc.asyncProperty(anyMapping, async (mapping) => {
        const { revision } = await loadMapping(db, id);
        expect(await save(id, revision, mapping)).toMatchObject({ kind: "saved" });
        expect((await loadMapping(db, id)).mapping).toEqual(mapping);
      }),
      { numRuns: 100 },
    );
  });
});

describe("the mapping of a run", () => {
  const facts = factsFor(
    { tickets: { sourceFields: [{ ...field("a", "Store", "text"), used: 1 }] } },
    { source: [person("1", "Jo Day")], destination: [person("70", "Jo Day")] },
  );

  test("is the suggestion where the customer decided nothing, saved as the first revision", async () => {
    const id = await givenImport(db, sealer);
    await saveFacts({ db, sealer }, id, facts);
    const runs = await Promise.all(Array.from({ length: 8 }, () => mappingForRun({ db, sealer }, id)));
    for (const run of runs) expect(run).toEqual({ revision: 1, mapping: suggestMapping(facts) });
    expect(await revisionsOf(id)).toEqual([{ revision: 1, actor: "system" }]);
  });

  test("is the customer's decision, if there is one", async () => {
    const id = await givenImport(db, sealer);
    await saveFacts({ db, sealer }, id, facts);
    await save(id, 0, defaultTo("9"));
    expect(await mappingForRun({ db, sealer }, id)).toEqual({ revision: 1, mapping: defaultTo("9") });
  });

  test("is empty without facts and decisions", async () => {
    const id = await givenImport(db, sealer);
    expect(await mappingForRun({ db, sealer }, id)).toEqual({ revision: 0, mapping: emptyMapping });
    expect(await revisionsOf(id)).toEqual([]);
  });
});
