import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { created, live, sandbox, useApi } from "./api.ts";

const api = useApi();

describe("10 requests per second per partner", () => {
  test("counts all endpoints and all tokens together; the eleventh request is 429 with Retry-After", async () => {
    const { token, partner } = await api.partner();
    const { issueToken } = await import("../../server/src/features/partners/index.ts");
    const second = (await issueToken(api.db, partner.id, "second")).token.reveal();
    const { id } = await created(api, token);
    await sleep(1_050);
    const paths = [
      "/tools",
      "/imports?destination_username=jo",
      `/imports/${id}`,
      "/events",
      "/imports/unknown",
    ];
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, n) =>
        api.ask({ path: `${live}${paths[n % paths.length]}`, token: n % 2 === 0 ? token : second }),
      ),
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
    await sleep(1_050);
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
