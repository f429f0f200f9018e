import { expect, test } from "vitest";
import { changedFields } from "./changed-fields.ts";

const change = (label: string, more: object = {}) => ({
  field: label,
  label,
  change: "converted" as const,
  why: "Held as days.",
  count: 5,
  ...more,
});

test("a line has an example record only if all its fields share it", () => {
  const example = (id: string) => ({ example: { id, address: null } });
  const changes = [change("Due", example("1")), change("Starts", example("1")), change("Ends", example("2"))];
  const streams = [{ stream: "tickets", label: "Tickets", changes }];
  expect(changedFields({ streams }).map(({ fields, example: of }) => [fields, of?.id])).toEqual([
    [["Due", "Starts"], "1"],
    [["Ends"], "2"],
  ]);
});

test("fields that share a reason share a line; losses come first", () => {
  const streams = [
    {
      stream: "tickets",
      label: "Tickets",
      changes: [
        change("Due"),
        change("Starts"),
        change("Notes", { change: "cleared", why: "None.", count: 1 }),
      ],
    },
    { stream: "comments", label: "Comments", changes: [change("Body", { count: 9 })] },
  ];
  expect(changedFields({ streams }).map(({ stream, fields }) => [stream, fields])).toEqual([
    ["tickets", ["Notes"]],
    ["comments", ["Body"]],
    ["tickets", ["Due", "Starts"]],
  ]);
});
