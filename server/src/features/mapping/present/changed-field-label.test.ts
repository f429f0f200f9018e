import { expect, test } from "vitest";
import { changedFieldLabel } from "./changed-field-label.ts";
import { mappingSchema } from "../model/mapping.ts";

const mapping = mappingSchema.parse({
  streams: {
    tickets: {
      fields: { "3": { as: "nothing" } },
      source: { "3": { label: "Colour", type: "text" } },
      destination: { "3": { label: "Size", type: "text" }, cf_5: { label: "Product", type: "text" } },
    },
  },
});
const label = (field: string, why = "") => changedFieldLabel(mapping, "tickets", { field, why });

test("a field is shown by its label", () => {
  expect(label("dueAt")).toBe("Due");
  expect(label("author.id")).toBe("Author");
  expect(label("customFields.cf_5")).toBe("Product");
  expect(label("customFields.Serial numbers")).toBe("Serial numbers");
  expect(changedFieldLabel(mapping, "contacts", { field: "customFields.9", why: "" })).toBe("9");
});

test("if both tools have a field with this key, the sentence decides which is meant", () => {
  expect(label("customFields.3")).toBe("Size");
  expect(label("customFields.3", "“Colour” is left behind, as you chose.")).toBe("Colour");
});
