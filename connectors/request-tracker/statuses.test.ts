import { expect, test } from "vitest";
import { statusWord, statusWords, type Ticket } from "./statuses.ts";

test("each status that the connector offers is written as itself, with the same meaning", () => {
  expect(statusWords.map(({ value }) => value)).toEqual(["new", "open", "stalled", "resolved", "rejected"]);
  for (const { value, kind } of statusWords)
    expect(statusWord({ status: value, statusKind: kind as Ticket["statusKind"] })).toBe(value);
});
