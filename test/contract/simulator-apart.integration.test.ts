import { createHash } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { maxLive } from "../../server/src/features/simulator/index.ts";
import { launchBrowser } from "../support/launch-browser.ts";
import { patienceMs } from "../support/patience.ts";
import { created, live, sandbox } from "./api.ts";
import { useSimulator } from "./simulator-fixture.ts";

const fixture = useSimulator();
const { api } = fixture;

describe("isolation", () => {
  /** The simulator's tables, the shared deliveries, and the rate limiter. */
  const used = ["simulations", "simulation_events", "webhook_deliveries", "webhook_attempts", "request_ring"];

  /** Every row of every other table, with the transaction that wrote it: this shows even an update without a change. */
  const othersRows = async () => {
    const { rows: tables } = await api.db.pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1",
      [used],
    );
    expect(tables.length).toBeGreaterThan(20);
    const all: [string, string | null][] = [];
    for (const { name } of tables) {
      const { rows } = await api.db.pool.query<{ is: string | null }>(
        `select string_agg(md5(xmin::text || t::text), ',' order by t::text) as is from ${name} t`,
      );
      all.push([name, rows[0]?.is ?? null]);
    }
    return Object.fromEntries(all);
  };

  test("writes to no other table of the service in any scenario", async () => {
    const acme = await fixture.partner();
    await created(api, acme.token, { reference: "real" });
    const before = await othersRows();
    for (const reference of ["happy", "warnings", "expired_sign_in", "rejected", "undo"]) {
      const { id } = await acme.create({
        reference,
        destination_username: "jo",
        destination_token: "secret",
      });
      await fixture.walk(id);
    }
    const { id } = await acme.create();
    await acme.ask("POST", `/imports/${id}/payment/accept`);
    await acme.ask("POST", `/imports/${id}/link`);
    await acme.ask("POST", `/imports/${id}/cancel`);
    expect(await othersRows()).toEqual(before);
  });

  test("makes new links to simulations only, of the partner's own open ones; the old link ends", async () => {
    const acme = await fixture.partner();
    const other = await fixture.partner();
    const real = await created(api, acme.token);
    const { id, token } = await acme.create();
    const again = await acme.ask("POST", `/imports/${id}/link`);
    expect(again.status).toBe(200);
    const { token: renewed } = again.json as { token: string };
    expect(renewed).not.toBe(token);
    expect((await acme.ask("GET", `/imports/${id}`)).json).toMatchObject({ token: renewed });
    const page = (of: string) => api.ask({ path: `/imports/${id}/${of}` });
    expect([(await page(token)).status, (await page(renewed)).status]).toEqual([404, 200]);
    expect((await other.ask("POST", `/imports/${id}/link`)).status).toBe(404);
    expect((await acme.ask("POST", `/imports/${real.id}/link`)).status).toBe(404);
    const inLive = { method: "POST", path: `${live}/imports/${id}/link`, token: acme.token };
    expect((await api.ask(inLive)).status).toBe(404);
    await acme.ask("POST", `/imports/${id}/cancel`);
    expect((await acme.ask("POST", `/imports/${id}/link`)).status).toBe(404);
  });

  test("takes no cursor of imports, nor they one of simulations", async () => {
    const acme = await fixture.partner();
    const real = await created(api, acme.token);
    const { id } = await acme.create();
    const cursor = (of: string) => Buffer.from(of).toString("base64url");
    const list = (of: string) => `/imports?family=helpdesk&cursor=${cursor(of)}`;
    const inLive = (path: string) => api.ask({ path: `${live}${path}`, token: acme.token });
    expect((await inLive(list(real.id))).status).toBe(200);
    expect((await inLive(list(id))).json).toEqual({ cursor: ["is not one of ours"] });
    expect((await acme.ask("GET", list(id))).status).toBe(200);
    expect((await acme.ask("GET", list(real.id))).json).toEqual({ cursor: ["is not one of ours"] });
  });

  test("keeps imports, events and deliveries of both apart", async () => {
    const acme = await fixture.partner();
    const username = "destination_username=jo";
    const real = await created(api, acme.token, { destination_username: "jo" });
    const { id } = await acme.create({ destination_username: "jo" });
    await fixture.walk(id);
    await api.ask({ method: "POST", path: `${live}/imports/${real.id}/cancel`, token: acme.token });
    await fixture.deliver();
    const lists = ["/events", "/webhook-deliveries", `/imports?${username}`];
    for (const path of lists) {
      const answer = await acme.askAt(live, "GET", path);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain("sim_");
      expect((await acme.ask("GET", path)).text).not.toContain(real.id);
    }
    const [event] = await acme.got();
    for (const base of [live, sandbox])
      for (const [method, path] of [
        ["GET", `/imports/${id}`],
        ["POST", `/imports/${id}/payment/accept`],
        ["POST", `/imports/${id}/cancel`],
        ["POST", `/webhook-deliveries/${event?.event_id}/replay`],
      ] as const)
        expect((await acme.askAt(base, method, path)).status).toBe(404);
    expect((await acme.ask("GET", `/imports/${real.id}`)).status).toBe(404);
    expect((await acme.ask("POST", `/imports/${real.id}/cancel`)).status).toBe(404);
  });

  test("hides a simulation from another partner", async () => {
    const acme = await fixture.partner();
    const other = await fixture.partner();
    const { id } = await acme.create({ destination_username: "jo" });
    await fixture.walk(id);
    const [event] = await acme.got();
    for (const [method, path] of [
      ["GET", `/imports/${id}`],
      ["POST", `/imports/${id}/payment/accept`],
      ["POST", `/imports/${id}/payment/reject`],
      ["POST", `/imports/${id}/cancel`],
      ["POST", `/webhook-deliveries/${event?.event_id}/replay`],
    ] as const)
      expect((await other.ask(method, path)).status).toBe(404);
    for (const path of ["/events", "/webhook-deliveries", "/imports?destination_username=jo"])
      expect((await other.ask("GET", path)).json).toEqual([]);
  });

  test("seals the link's token, which no log and no stored answer contains", async () => {
    const acme = await fixture.partner();
    const { id, token } = await acme.create();
    fixture.receiver.answer(({ body }) => ({ status: 200, body }));
    await fixture.walk(id);
    fixture.receiver.answer(() => ({ status: 200 }));
    const { rows } = await api.db.pool.query("select * from simulations where id = $1", [id]);
    expect(JSON.stringify(rows)).not.toContain(token);
    const log = await acme.ask("GET", "/webhook-deliveries");
    expect(log.text).toContain("sample_completed");
    expect(log.text).not.toContain(token);
    expect(api.logged()).not.toContain(token);
  });
});

describe("the page of the link", () => {
  const at = ({ redirect_url }: { redirect_url: string }) => new URL(redirect_url).pathname;

  test("says that it is a simulation and shows its status, under the rules of every page", async () => {
    const acme = await fixture.partner({ name: "Acme <b>" });
    const made = await acme.create({ reference: "undo" });
    expect(made.redirect_url).toBe(`https://portage.example/imports/${made.id}/${made.token}`);
    const page = await api.ask({ path: at(made) });
    expect(page.status).toBe(200);
    expect(page.text).toContain("This is a simulation");
    expect(page.text).toContain("It stands at “Collecting credentials”");
    expect(page.text).toContain("Look again");
    expect(page.text).not.toContain("<b>Acme");
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; script-src 'sha256-[^']+'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(page.headers["set-cookie"]).toBeUndefined();
    await fixture.comeDue(made.id, 60);
    const later = await api.ask({ path: at(made) });
    expect(later.text).toContain("It stands at “Migration cleaned”");
    expect(later.text).not.toContain("Look again");
  });

  test("is served with its one script, which the policy allows by its hash, until the simulation is over", async () => {
    const acme = await fixture.partner();
    const made = await acme.create();
    const scripts = ({ text }: { text: string }) => [...text.matchAll(/<script>([^]*?)<\/script>/g)];
    const first = await api.ask({ path: at(made) });
    const [[, script = ""] = [], ...others] = scripts(first);
    expect(others).toEqual([]);
    const hash = createHash("sha256").update(script).digest("base64");
    expect(first.headers["content-security-policy"]).toContain(`script-src 'sha256-${hash}';`);
    expect(first.text).toContain("this page follows it");
    expect(first.text).toContain("Nothing counts as moved now.");
    await fixture.pass(made.id, 2.5);
    const second = await api.ask({ path: at(made) });
    expect(second.text).toMatch(/It stands at “.*sample migration/i);
    expect(scripts(second)).toHaveLength(1);
    await fixture.comeDue(made.id, 60);
    const last = await api.ask({ path: at(made) });
    expect(last.text).toContain("It stands at “Migration completed”");
    expect(last.text).toMatch(/Counts as moved now: [\d,]+ /);
    expect(scripts(last)).toEqual([]);
    expect(last.headers["content-security-policy"]).not.toContain("script-src");
  });

  test("in a browser follows the simulation without a reload, and says when it was canceled", async () => {
    const acme = await fixture.partner();
    const made = await acme.create();
    const canceled = await acme.create();
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => void problems.push(error.message));
    page.on("console", (message) => void (message.type() === "error" && problems.push(message.text())));
    await page.goto(`${api.origin}${at(made)}`);
    await page.evaluate(() => Object.assign(globalThis, { isTheSame: true }));
    const shows = (text: string) => page.getByText(text).waitFor({ timeout: patienceMs });
    await shows("Collecting credentials");
    await fixture.pass(made.id, 2.5);
    await shows("sample migration");
    await fixture.comeDue(made.id, 60);
    await shows("Migration completed");
    await shows("nothing more happens by itself");
    expect(await page.getByRole("link", { name: "Look again" }).count()).toBe(0);
    expect(await page.evaluate(() => "isTheSame" in globalThis)).toBe(true);
    expect(problems).toEqual([]);
    await page.goto(`${api.origin}${at(canceled)}`);
    await acme.ask("POST", `/imports/${canceled.id}/cancel`);
    await shows("This simulation was canceled");
  });

  test("allows framing by the partner's pages that the operator has named", async () => {
    const acme = await fixture.partner({ branding: { embedOrigins: ["https://app.acme.example"] } });
    const { headers } = await api.ask({ path: at(await acme.create()) });
    expect(headers["content-security-policy"]).toContain("frame-ancestors https://app.acme.example");
    expect(headers["x-frame-options"]).toBeUndefined();
  });

  test("needs the token, reports a cancelled simulation, and opens no wizard session", async () => {
    const acme = await fixture.partner();
    const made = await acme.create();
    expect((await api.ask({ path: `/imports/${made.id}/${"0".repeat(32)}` })).status).toBe(404);
    expect((await api.ask({ path: `/imports/${made.id}` })).status).toBe(404);
    expect(
      (
        await api.ask({
          path: `/wizard/api/imports/${made.id}`,
          headers: { authorization: `Bearer ${made.token}` },
        })
      ).status,
    ).toBeGreaterThanOrEqual(400);
    await acme.ask("POST", `/imports/${made.id}/cancel`);
    const page = await api.ask({ path: at(made) });
    expect(page.status).toBe(410);
    expect(page.text).toContain("This simulation was canceled");
  });
});

describe("limits", () => {
  test("allows a maximum of live simulations, until one ends", async () => {
    const acme = await fixture.partner();
    const { id } = await acme.create();
    await api.db.pool.query(
      `insert into simulations (id, partner_id, scenario, payer, source_tool, destination_tool, family, link_token, state, turn_at)
       select 'sim_' || lpad(n::text, 26, '0'), partner_id, scenario, payer, source_tool, destination_tool, family,
         link_token, state, now() + interval '1 hour' from simulations, generate_series(2, $2) n where id = $1`,
      [id, maxLive],
    );
    const { status, json } = await acme.ask("POST", "/imports", { source_tool: "request-tracker" });
    expect(status).toBe(422);
    expect(json).toMatchObject({
      base: [`${maxLive} simulations are under way: wait some seconds until one has ended, or cancel one.`],
    });
    await acme.ask("POST", `/imports/${id}/cancel`);
    await acme.create();
  });

  test("removes a simulation with its events and deliveries after a day; real deliveries stay", async () => {
    const acme = await fixture.partner();
    const real = await created(api, acme.token);
    await api.ask({ method: "POST", path: `${live}/imports/${real.id}/cancel`, token: acme.token });
    const old = await acme.create();
    const young = await acme.create();
    await fixture.walk(old.id);
    const aged = "sim_00000000000000000000000abc";
    await api.db.pool.query(
      `with copy as (insert into simulations select s.* from simulations x,
         jsonb_populate_record(x, jsonb_build_object('id', $2::text)) s where x.id = $1 returning id),
       events as (update simulation_events set simulation_id = $2 where simulation_id = $1 and exists (select from copy))
       update webhook_deliveries set simulation_id = $2 where simulation_id = $1`,
      [old.id, aged],
    );
    expect(await fixture.removeOld()).toBeGreaterThanOrEqual(1);
    const left = async (table: string) =>
      (await api.db.pool.query(`select from ${table} where simulation_id = $1`, [aged])).rowCount;
    expect([await left("simulation_events"), await left("webhook_deliveries")]).toEqual([0, 0]);
    expect((await acme.ask("GET", `/imports/${aged}`)).status).toBe(404);
    expect((await acme.ask("GET", `/imports/${young.id}`)).status).toBe(200);
    const { json } = await api.ask({ path: `${live}/webhook-deliveries`, token: acme.token });
    expect(json).toMatchObject([{ id: real.id, attempts: [{ status: 200 }] }]);
  });
});
