import { expect, test } from "vitest";
import { mappingSchema } from "./mapping.ts";
import { personFieldsOf } from "./person-fields.ts";

const mapping = (destination: Readonly<Record<string, string>>) =>
  mappingSchema.parse({
    streams: {
      tickets: {
        source: {},
        destination: Object.fromEntries(
          Object.entries(destination).map(([key, type]) => [key, { label: key, type }]),
        ),
      },
    },
  });

test("fields that hold people are those of any mapping, once each, and of the stream alone", () => {
  const mappings = [
    mapping({ lead: "person", note: "text" }),
    mapping({ lead: "person", approver: "person" }),
    mapping({}),
  ];
  expect(personFieldsOf(mappings, "tickets")).toEqual(["lead", "approver"]);
  expect(personFieldsOf(mappings, "contacts")).toEqual([]);
  expect(personFieldsOf(mappings, "constructor")).toEqual([]);
});
