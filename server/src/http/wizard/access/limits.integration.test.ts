import { describe, expect, test } from "vitest";
import { useWizard } from "../../../../../test/support/wizard.ts";

const paying = useWizard();

describe("attempts to connect", () => {
  const wizard = useWizard({ connectAttemptsPerMinute: 3 });
  const { newLink, ask, connect } = wizard;

  test("are limited per import, before the tool is called", async () => {
    const link = await newLink();
    const settings = wizard.settingsOf(wizard.old);
    for (let n = 0; n < 3; n += 1) expect((await connect(link, "source", settings)).status).toBe(200);
    const called = wizard.old.keys.length;
    const refused = await connect(link, "source", settings);
    expect(refused).toMatchObject({ status: 429, json: { error: { code: "rate_limited" } } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    for (const path of ["/connections/source/sign-in", "/sign-ins"])
      expect((await ask(link, "POST", path, { settings, query: "" })).status).toBe(429);
    expect(wizard.old.keys).toHaveLength(called);
    expect((await ask(link, "GET")).status).toBe(200);
    expect((await connect(await newLink(), "source", settings)).status).toBe(200);
  });

  test("that fail are limited per host, over all imports and ports", async () => {
    const typed = (port: number) => ({ instanceUrl: `https://scanned.invalid:${port}`, token: "x" });
    for (let port = 1; port <= 4; port += 1)
      expect((await connect(await newLink(), "source", typed(port))).json).toMatchObject({
        refusal: { code: "wrong_address" },
      });
    expect(await connect(await newLink(), "source", typed(5))).toMatchObject({
      status: 422,
      json: { refusal: { code: "not_now", detail: "too_many_attempts" } },
    });
    const other = { instanceUrl: "https://other.invalid", token: "x" };
    expect((await connect(await newLink(), "source", other)).json).toMatchObject({
      refusal: { code: "wrong_address" },
    });
  });
});

test("attempts to pay are limited per import, before the payment provider is asked", async () => {
  const link = await paying.newLink();
  const pay = () => paying.ask(link, "POST", "/purchase", { quoteId: "quo_1", packageId: "small" });
  const statuses = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await pay()).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 409), 429]);
  const other = await paying.newLink();
  expect(
    (await paying.ask(other, "POST", "/purchase", { quoteId: "quo_1", packageId: "small" })).status,
  ).toBe(409);
});

describe("failed sign-ins to the wizard", () => {
  const { api, newLink, ask } = useWizard({ signInFailuresPerMinute: 3 });

  test("are limited per address, before the database is asked; a link that was accepted is not delayed", async () => {
    const link = await newLink();
    const unseen = await newLink();
    expect((await ask(link, "GET")).status).toBe(200);
    const wrong = () => ask({ ...link, token: "0".repeat(32) }, "GET");
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await wrong()).status);
    const unknown = { id: "imp_00000000000000000000000000", token: link.token };
    statuses.push((await ask(unknown, "GET")).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await ask(link, "GET")).status).toBe(200);
    expect((await ask(unseen, "GET")).status).toBe(429);
    expect((await ask(link, "GET", "", undefined, { authorization: "" })).status).toBe(429);
    await api.db.pool.query("alter table imports rename to imports_away");
    try {
      expect((await wrong()).status).toBe(429);
      expect((await ask(unknown, "GET")).status).toBe(429);
    } finally {
      await api.db.pool.query("alter table imports_away rename to imports");
    }
  });
});
