import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { live, sandbox, useApi } from "./api.ts";

describe("failed sign-ins", () => {
  const api = useApi({ signInFailuresPerMinute: 3 });
  test("are limited per address; a token that was accepted before is not delayed", async () => {
    const { token } = await api.partner();
    const { token: unseen } = await api.partner();
    const tools = (shown: string) => api.ask({ path: `${live}/tools`, token: shown });
    const wrong = () => tools(`ptg_live_${"0".repeat(40)}`);
    expect((await tools(token)).status).toBe(200);
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await wrong()).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect(Number((await wrong()).headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect((await tools(token)).status).toBe(200);
    // Another token may be valid, but the address that guesses tokens no longer reaches the database.
    expect((await tools(unseen)).status).toBe(429);
    await api.db.pool.query("alter table api_tokens rename to api_tokens_away");
    try {
      expect((await wrong()).status).toBe(429);
    } finally {
      await api.db.pool.query("alter table api_tokens_away rename to api_tokens");
    }
  });
});

describe("failed sign-ins in the sandbox", () => {
  const api = useApi({ signInFailuresPerMinute: 3 });
  const wrong = (base: string) => api.ask({ path: `${base}/tools`, token: `ptg_live_${"0".repeat(40)}` });
  test("are always 401, without the database beyond the limit, and count towards nothing", async () => {
    const { token } = await api.partner();
    for (let n = 0; n < 4; n++) expect((await wrong(sandbox)).status).toBe(401);
    await api.db.pool.query("alter table api_tokens rename to api_tokens_away");
    try {
      expect((await wrong(sandbox)).status).toBe(401);
    } finally {
      await api.db.pool.query("alter table api_tokens_away rename to api_tokens");
    }
    for (let n = 0; n < 3; n++) expect((await wrong(live)).status).toBe(401);
    expect((await wrong(live)).status).toBe(429);
    expect((await wrong(sandbox)).status).toBe(401);
    // An address that tries many tokens in the sandbox gets no valid one accepted there either, as in the real API.
    expect((await api.ask({ path: `${sandbox}/tools`, token })).status).toBe(401);
  });
});

describe("a request that takes too long to arrive", () => {
  const api = useApi({ requestTimeoutMs: 200 });
  test("is 408 with the JSON body", async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(api.origin).port), "127.0.0.1", () =>
        socket.write(`POST ${live}/imports HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n`),
      );
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({
      error: { code: "request_timeout" },
    });
  });
});

describe("when our side fails", () => {
  const api = useApi();
  test("500 shows only the request id, which the log has with the cause", async () => {
    const { token } = await api.partner();
    await api.ask({ path: `${live}/tools`, token });
    await api.db.pool.query("alter table imports rename to imports_away");
    const { status, json, text } = await api.ask({
      path: `${live}/imports/imp_00000000000000000000000000`,
      token,
    });
    await api.db.pool.query("alter table imports_away rename to imports");
    expect(status).toBe(500);
    expect(text).not.toContain("imports");
    const { request_id } = (json as { error: { request_id: string } }).error;
    expect(api.logged()).toMatch(new RegExp(`"request_id":"${request_id}".*does not exist`));
  });

  test("503 with Retry-After when the database ends our connections", async () => {
    const { token } = await api.partner();
    await api.db.pool.query(
      "create function hang() returns trigger language plpgsql as $$ begin perform pg_sleep(30); return new; end $$",
    );
    await api.db.pool.query(
      "create trigger hang before insert on imports for each row execute function hang()",
    );
    const asked = api.ask({
      method: "POST",
      path: `${live}/imports`,
      token,
      body: { source_tool: "request-tracker" },
    });
    const asleep =
      "select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    while ((await api.db.pool.query(asleep)).rowCount === 0);
    await api.db.pool.query(`select pg_terminate_backend(pid) from (${asleep}) as sleeping`);
    const { status, json, headers } = await asked;
    await api.db.pool.query("drop trigger hang on imports");
    expect(status).toBe(503);
    expect(json).toMatchObject({ error: { code: "unavailable" } });
    expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
  });
});
