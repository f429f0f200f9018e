import { expect, test } from "vitest";
import { canaryAddress, canaryKey, streamIn, tokenFor, tokenIn } from "./canary-address.ts";

const mailbox = "Canary@Portage.example.com";
const token = tokenFor("run_1", 1);

test("an address leads back to its measurement, however its case was changed", () => {
  const address = canaryAddress(mailbox, token);
  expect(address).toBe(`Canary+${token}@Portage.example.com`);
  expect(tokenIn(mailbox, address)).toBe(token);
  expect(tokenIn(mailbox, address.toUpperCase())).toBe(token);
  expect(canaryAddress(null, token)).toMatch(/\.invalid$/);
});

test.each([
  "canary@portage.example.com",
  `canary+${tokenFor("run_1", 1)}@elsewhere.example.com`,
  `other+${tokenFor("run_1", 1)}@portage.example.com`,
  "canary+zz@portage.example.com",
  "",
])("%j is no address of a measurement", (address) => {
  expect(tokenIn(mailbox, address)).toBeNull();
});

test("every attempt, run, import and canary has names of its own", () => {
  const keys = ["run_1", "run_2"].flatMap((run) =>
    [1, 2].flatMap((no) =>
      ["imp_1", "imp_2"].flatMap((id) =>
        ["tickets-1", "tickets-2"].map((name) => canaryKey(id, tokenFor(run, no), name)),
      ),
    ),
  );
  expect(new Set(keys).size).toBe(16);
  expect(canaryKey("imp_01k00000000000000000000000", token, "comments-1")).toMatch(/^[a-z0-9:_-]{1,64}$/);
});

test("a message about a comment, which quotes its ticket, is about the comment", () => {
  const ticket = `Silence check canary-${token}-tickets-1`;
  expect(streamIn(token, ticket)).toBe("tickets");
  expect(streamIn(token, `Written … canary-${token}-comments-2\n${ticket}`)).toBe("comments");
  expect(streamIn(tokenFor("run_1", 2), ticket)).toBeNull();
});
