import fc from "fast-check";
import { expect, test } from "vitest";
import { emailKey, folded, nameKey } from "../model/fold.ts";
import { suggestPeople } from "./suggest-people.ts";
import { anyText } from "../testing/arbitraries.ts";
import { person } from "../testing/facts-for.ts";

const robin = person("7", "Robin Sample", "robin@old.example");

const suggest = (source: ReturnType<typeof person>, ...destination: ReturnType<typeof person>[]) =>
  suggestPeople([source], destination)[0];

test("names and addresses are compared without case, accents, and the order of words", () => {
  expect(nameKey("Sample, Robin")).toBe(nameKey("robin  SAMPLE"));
  expect(nameKey("José Núñez")).toBe(nameKey("Jose Nunez"));
  expect(nameKey("Jürgen Groß")).toBe(nameKey("jurgen gross"));
  expect(emailKey(" MailTo:Robin@Acme.Example ")).toBe("robin@acme.example");
  expect([emailKey("robin"), emailKey(""), emailKey(null)]).toEqual([null, null, null]);
});

test("the same address is the same person, whatever the name", () => {
  expect(suggest(robin, person("70", "R. S.", "ROBIN@old.example"), person("71", "Robin Sample"))).toEqual({
    kind: "match",
    id: "70",
    confidence: 1,
    why: "same_email",
  });
});

test.each([
  [0.9, "the same address at another domain", person("70", "sample robin", "robin@new.example")],
  [0.85, "no address", person("70", "Robin Sample")],
  [0.75, "another address", person("70", "Robin Sample", "rs@new.example")],
])("the same name is worth %d with %s", (confidence, _, found) => {
  expect(suggest(robin, found)).toMatchObject({ kind: "match", id: "70", confidence });
});

test("a name of a single word is not enough", () => {
  expect(suggest(person("7", "Admin"), person("70", "admin"))).toMatchObject({ confidence: 0.5 });
});

test("deactivated people are not suggested, and the reason says so", () => {
  const gone = suggest(robin, person("70", "Robin", "robin@old.example", false));
  expect(gone).toEqual({ kind: "none", why: "email_deactivated" });
  const named = suggest(robin, person("70", "Robin Sample", null, false));
  expect(named).toEqual({ kind: "none", why: "name_deactivated" });
});

test("an active person is found beside a deactivated one with the same address", () => {
  const found = suggest(
    robin,
    person("69", "Robin", "robin@old.example", false),
    person("70", "Robin", "robin@old.example"),
  );
  expect(found).toMatchObject({ kind: "match", id: "70" });
});

test("duplicates on either side stay undecided, with their candidates", () => {
  const twice = [person("71", "A", "robin@old.example"), person("70", "B", "robin@old.example")];
  expect(suggest(robin, ...twice)).toMatchObject({ kind: "unsure", candidates: ["70", "71"] });
  const two = suggestPeople([robin, { ...robin, id: "8" }], [person("70", "A", "robin@old.example")]);
  expect(two.map(({ kind }) => kind)).toEqual(["unsure", "unsure"]);
  const names = [person("70", "Robin Sample"), person("71", "Sample Robin")];
  expect(suggest(robin, ...names)).toMatchObject({ kind: "unsure", candidates: ["70", "71"] });
  const namesakes = suggestPeople([person("1", "Jo Day"), person("2", "Day, Jo")], [person("70", "Jo Day")]);
  expect(namesakes.map(({ kind }) => kind)).toEqual(["unsure", "unsure"]);
});

test("a namesake of a person matched by address stays open", () => {
  const found = suggestPeople(
    [person("1", "R. S.", "robin@new.example"), robin],
    [person("70", "Robin Sample", "robin@new.example")],
  );
  expect(found).toMatchObject([{ kind: "match", id: "70" }, { kind: "unsure" }]);
});

const few = fc.constantFrom("jo@a.example", "JO@a.example", "jo@b.example", "kim@a.example", null, "");
const anyPerson = fc.record({
  id: fc.uuid(),
  name: fc.oneof(fc.constantFrom("Jo Day", "Day Jo", "Jo", "Kim Day"), anyText),
  email: few,
  active: fc.boolean(),
});
const anyPeople = fc.uniqueArray(anyPerson, { maxLength: 8, selector: ({ id }) => id });

test("in whichever order people come, each gets the same suggestion, and no person is suggested twice", () => {
  fc.assert(
    fc.property(anyPeople, anyPeople, fc.integer(), (source, destination, seed) => {
      const found = suggestPeople(source, destination);
      const turned = (all: typeof source) => all.toSorted((a, b) => (a.id > b.id === seed > 0 ? 1 : -1));
      const again = suggestPeople(turned(source), turned(destination));
      for (const [index, each] of turned(source).entries())
        expect(again[index]).toEqual(found[source.indexOf(each)]);
      const ids = found.flatMap((each) => (each.kind === "match" ? [each.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      const active = new Set(destination.filter((each) => each.active).map(({ id }) => id));
      expect(ids.every((id) => active.has(id))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("folding is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
      expect(folded(folded(text))).toBe(folded(text));
    }),
    { numRuns: 5_000 },
  );
});
