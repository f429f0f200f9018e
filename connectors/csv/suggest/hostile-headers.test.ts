import { content, crm, type FamilyStream, familyStreams, helpdesk, projects } from "@portage/connector-kit";
import { families } from "@portage/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { targetsOf } from "../targets.ts";
import { suggest } from "../testing/suggest.ts";

describe("hostile headers", () => {
  const hostile = [
    "",
    "",
    " ",
    "Name",
    "name",
    "NAME ",
    "__proto__",
    "constructor",
    "toString",
    "customFields.x",
    "a.b.c",
    "=1+1",
    "\u202eeman",
    "👩‍👩‍👧",
    "ID\u0000",
    "x".repeat(100_000),
    "(".repeat(500),
    "%s${7*7}",
    "<script>",
    "Ｎａｍｅ",
    "id; drop table",
  ];
  test.each(families)("maps every column of %s to its own field and loses none", (family) => {
    const rows = Array.from({ length: 5 }, (_, row) => hostile.map((_header, column) => `v${row}-${column}`));
    for (const stream of familyStreams[family]) {
      const { columns } = suggest(stream, hostile, rows);
      expect(new Set(columns.map(({ column }) => column)).size).toBe(hostile.length);
      const custom = columns
        .filter(({ field }) => field.startsWith("customFields."))
        .map(({ field }) => field);
      expect(new Set(custom).size).toBe(custom.length);
      for (const { field } of custom.map((each) => ({ field: each }))) expect(field.length).toBeLessThan(90);
    }
  });

  test("suggests only existing fields for random headers and cells", () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("id", "Name", "Datum", "Status", "E-Mail", "date", "1.2.2024", "a@b.co", "12"),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(helpdesk.tickets, crm.deals, projects.tasks, content.posts),
        fc.array(word, { minLength: 1, maxLength: 8 }),
        fc.array(fc.array(word, { maxLength: 9 }), { maxLength: 6 }),
        (stream, header, rows) => {
          const real = new Set(targetsOf(stream as unknown as FamilyStream).map(({ path }) => path));
          for (const { field, column } of suggest(stream, header, rows).columns) {
            expect(real.has(field) || field.startsWith("customFields.")).toBe(true);
            expect(column).toBeLessThan(header.length);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
