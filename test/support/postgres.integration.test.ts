import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createPostgres } from "./postgres.ts";

const postgres = await createPostgres();
afterAll(() => postgres.remove());

const query = async (text: string) => {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ n: number }>(text);
  return { rows, client };
};

test("keeps committed data over a kill and a restart", async () => {
  postgres.start();
  for (let round = 1; round <= 3; round += 1) {
    const { client } = await query(`create table t${round} as select ${round} as n`);
    await postgres.kill();
    await expect(query("select 1")).rejects.toThrow();
    await postgres.startAside();
    const again = await query(`select n from t${round}`);
    expect(again.rows).toEqual([{ n: round }]);
    await Promise.allSettled([client.end(), again.client.end()]);
  }
});
