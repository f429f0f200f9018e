import { beforeAll, describe, expect, test } from "vitest";
import { created, live, sandbox, useApi } from "./api.ts";

const api = useApi();

/** A busy machine takes longer than a second for eleven requests: here the second ends when a test says so. */
beforeAll(() =>
  api.db.pool.query(`
    create function in_an_hour() returns trigger language plpgsql as $$
      begin new.accepted_at[1] := new.accepted_at[1] + interval '1 hour'; return new; end $$;
    create trigger in_an_hour before insert or update of accepted_at on request_ring
      for each row when (pg_trigger_depth() = 0 and current_setting('test.is_later', true) is null)
      execute function in_an_hour()`),
);
const endSecond = async (partnerId: string) => {
  await api.db.pool.query(
    `with later as (select set_config('test.is_later', 'yes', true))
     update request_ring set accepted_at = (select array_agg(past - interval '1 hour 1 second' order by at)
       from unnest(accepted_at) with ordinality as t (past, at)) from later where partner_id = $1`,
    [partnerId],
  );
};

describe("10 requests per second per partner", () => {
  test("counts all endpoints and all tokens together; the eleventh request is 429 with Retry-After", async () => {
    const { token, partner } = await api.partner();
    const { issueToken } = await import("../../server/src/features/partners/index.ts");
    const second = (await issueToken(api.db, partner.id, "second")).token.reveal();
    const { id } = await created(api, token);
    await endSecond(partner.id);
    const paths = [
      "/tools",
      "/imports?destination_username=jo",
      `/imports/${id}`,
      "/events",
      "/imports/unknown",
    ];
    // One after the other: on a busy machine fourteen at once wait too long for a connection, which is a 503.
    const answers: Awaited<ReturnType<typeof api.ask>>[] = [];
    for (let n = 0; n < 14; n += 1)
      answers.push(
        await api.ask({ path: `${live}${paths[n % paths.length]}`, token: n % 2 === 0 ? token : second }),
      );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    for (const { headers, json } of refused) {
      expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
      expect(headers.ratelimit).toBe('"default";r=0;t=1');
      expect(json).toMatchObject({ error: { code: "rate_limited" } });
    }
    for (const { headers } of answers) expect(headers["ratelimit-policy"]).toBe('"default";q=10;w=1');
  });

  test("RateLimit counts down, also on errors", async () => {
    const { token } = await api.partner();
    const left: unknown[] = [];
    for (const path of ["/tools", "/imports/unknown", "/imports", "/tools?family=x"])
      left.push((await api.ask({ path: `${live}${path}`, token })).headers.ratelimit);
    expect(left).toEqual([9, 8, 7, 6].map((r) => `"default";r=${r};t=1`));
  });

  test("accepts requests again after a second, and never delayed another partner", async () => {
    const busy = await api.partner();
    const other = await api.partner();
    await Promise.all(
      Array.from({ length: 12 }, () => api.ask({ path: `${live}/tools`, token: busy.token })),
    );
    expect((await api.ask({ path: `${live}/tools`, token: busy.token })).status).toBe(429);
    expect((await api.ask({ path: `${live}/tools`, token: other.token })).status).toBe(200);
    await endSecond(busy.partner.id);
    expect((await api.ask({ path: `${live}/tools`, token: busy.token })).status).toBe(200);
  });
});

test("the sandbox has no limit, sends no RateLimit headers and does not count", async () => {
  const { token } = await api.partner();
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => api.ask({ path: `${sandbox}/tools`, token })),
  );
  for (const { status, headers } of answers) {
    expect(status).toBe(200);
    expect(headers.ratelimit).toBeUndefined();
    expect(headers["ratelimit-policy"]).toBeUndefined();
  }
  expect((await api.ask({ path: `${live}/tools`, token })).headers.ratelimit).toBe('"default";r=9;t=1');
});
