import { helpdesk } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { longestKeptText, shortenTexts } from "./shorten-texts.ts";

const ticket = (text: string, note: string) =>
  helpdesk.tickets.make({
    id: "1",
    subject: "A ticket",
    status: "open",
    statusKind: "open",
    customFields: { note, size: 3 },
    description: { format: "plain", text },
  });

test("a record with texts that people can read stays as it is", () => {
  const record = ticket("Hello.", "x".repeat(longestKeptText));
  expect(shortenTexts(record)).toEqual({ record, fields: [] });
});

test("longer texts are cut between characters, and their fields named", () => {
  const long = "x".repeat(longestKeptText - 1);
  const { record, fields } = shortenTexts(ticket(`${long}😀 and more`, `${long}yz`));
  expect(fields).toEqual(["description", "customFields.note"]);
  expect(record).toMatchObject({ description: { text: long }, customFields: { note: `${long}y`, size: 3 } });
});
