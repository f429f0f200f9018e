import { expect, test } from "vitest";
import type { OldLinksService } from "../../../features/runs/index.ts";
import { parseQuery } from "../../query.ts";
import type { Call } from "../operation.ts";
import { listOldLinksRoute } from "./list-old-links.ts";

const listed = { stream: "tickets", oldId: "7", oldAddress: null, newId: "107", newAddress: null };

/** Asks for what an address became, where only one address is known. */
const ask = async (query: string, known: string) => {
  const resolve: OldLinksService["resolve"] = async (_, address) => (address === known ? listed : null);
  const route = listOldLinksRoute({
    isKnown: async () => true,
    oldLinks: { resolve, list: async () => ({ links: [], next: null }) },
    baseUrl: "https://portage.example",
  });
  const parsed = parseQuery(`/?${query}`);
  if (parsed.kind !== "query") throw new Error("not a query");
  const { body } = await route.handle({
    partner: { id: "prt_1" },
    importId: "imp_1",
    query: parsed.query,
  } as unknown as Call);
  return body as readonly unknown[];
};

test.each([
  ["address=/a+b", "/a+b", 1],
  ["address=/a+b", "/a b", 1],
  ["address=/a%2Bb", "/a+b", 1],
  ["address=/a%2Bb", "/a b", 0],
  ["address=/a%20b", "/a b", 1],
  ["address=/a%20b", "/a+b", 0],
])("%s: the record of %s", async (query, known, count) => {
  expect(await ask(query, known)).toHaveLength(count);
});
