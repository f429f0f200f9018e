import { expect, test } from "vitest";
import { changesBetween } from "./field-changes.ts";

const base = { id: "1", createdAt: null, updatedAt: null, tags: [], customFields: {} };
const person = (id: string | null, name: string) => ({ stream: "users", id, name, email: null });

test("distinguishes cleared, truncated and converted fields", () => {
  const wanted = { ...base, a: "long text", b: "x", c: "Bug", customFields: { color: "red" } };
  const got = { ...base, a: "long", b: null, c: "Feature" } as unknown as typeof wanted;
  expect(changesBetween(wanted, got, { a: "1", b: "2", c: "3", customFields: "4" })).toEqual([
    { field: "a", change: "truncated", why: "1" },
    { field: "b", change: "cleared", why: "2" },
    { field: "c", change: "converted", why: "3" },
    { field: "customFields.color", change: "cleared", why: "4" },
  ]);
});

test("leaves a difference without a reason undeclared, so that verification finds it", () => {
  expect(changesBetween({ ...base, a: 1 }, { ...base, a: 2 }, {})).toEqual([]);
});

test("treats an account with another name as the same person, and null as a lost person", () => {
  const why = { who: "w" };
  expect(
    changesBetween({ ...base, who: person("5", "Ana") }, { ...base, who: person("5", "A. M.") }, why),
  ).toEqual([]);
  const nobody = { ...base, who: null } as unknown as typeof base & { who: ReturnType<typeof person> };
  expect(changesBetween({ ...base, who: person(null, "Ana") }, nobody, why)).toEqual([
    { field: "who", change: "cleared", why: "w" },
  ]);
});
