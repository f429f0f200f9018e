import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import { givenPartner } from "../../../../test/support/fixtures.ts";
import type { Database } from "../../platform/db.ts";
import { createAuthenticator, issueToken, revokeToken, setSuspended } from "./index.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** The API's promise, measured by a fake clock. */
const slowestMs = 5_000;
/** Not 0: the cache would take it for an entry without a TTL. */
const clockStartMs = 1_000;

const endings = {
  revoked: (_partnerId: string, tokenId: string) => revokeToken(db, tokenId),
  suspended: (partnerId: string) => setSuspended(db, partnerId, true),
};

test.each(Object.entries(endings))("a token that is %s works for at most 5 s", async (_, end) => {
  const { partner } = await givenPartner(db);
  const { token, record } = await issueToken(db, partner.id, "old");
  let nowMs = clockStartMs;
  const { authenticate } = createAuthenticator(db, () => nowMs);
  const isIn = async () => (await authenticate(token.reveal())) !== undefined;
  for (; nowMs < 10_000; nowMs += 100) expect(await isIn()).toBe(true);
  const endedAt = nowMs;
  await end(partner.id, record.id);
  while (await isIn()) nowMs += 100;
  expect(nowMs - endedAt).toBeLessThanOrEqual(slowestMs);
  for (let later = 0; later < 100; later += 1) {
    nowMs += 100;
    expect(await isIn()).toBe(false);
  }
});

test("the TTL starts before the query: a slow answer is not cached for longer", async () => {
  const { partner } = await givenPartner(db);
  const { token, record } = await issueToken(db, partner.id, "slow");
  let nowMs = clockStartMs;
  let delayMs = 4_000;
  // The answer reflects the time of the query, and arrives when the clock has moved on.
  const slow: Database = new Proxy(db, {
    get: (target, name, receiver) => {
      nowMs += name === "sql" || name === "pool" ? delayMs : 0;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const { authenticate } = createAuthenticator(slow, () => nowMs);
  expect(await authenticate(token.reveal())).toBeDefined();
  delayMs = 0;
  await revokeToken(db, record.id);
  expect(await authenticate(token.reveal())).toBeUndefined();
});
