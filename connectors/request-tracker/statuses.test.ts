import { expect, test } from "vitest";
import { statusWord, statusWords, type Ticket } from "./statuses.ts";

test("each word that is offered is the one that is written, together with what it means", () => {
  expect(statusWords.map(({ value }) => value)).toEqual(["new", "open", "stalled", "resolved", "rejected"]);
  for (const { value, kind } of statusWords)
    expect(statusWord({ status: value, statusKind: kind as Ticket["statusKind"] })).toBe(value);
});
