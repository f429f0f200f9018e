import { describe, expect, test } from "vitest";
import { created, live, useApi } from "../../../../../test/contract/api.ts";
import { type Received, send } from "../../../../../test/contract/http-client.ts";
import { makeLink } from "../../../features/links/index.ts";
import { moveImport, reissueLink } from "../../../features/imports/index.ts";

const api = useApi();

const get = (path: string, headers: Record<string, string> = {}) => send(api.origin, { path, headers });
const cookieOf = ({ headers }: Received) => headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
const newImport = async (settings: Parameters<typeof api.partner>[0] = {}) => {
  const { token: partnerToken } = await api.partner(settings);
  return { ...(await created(api, partnerToken)), partnerToken };
};
const open = async (settings: Parameters<typeof api.partner>[0] = {}) => {
  const made = await newImport(settings);
  const answer = await get(`/imports/${made.id}/${made.token}`);
  return { ...made, answer, cookie: cookieOf(answer) };
};
const cancel = ({ id, partnerToken }: { id: string; partnerToken: string }) =>
  api.ask({ method: "POST", path: `${live}/imports/${id}/cancel`, token: partnerToken });

describe("the customer's link", () => {
  test("creates a session and redirects to a URL without a secret", async () => {
    const { id, token, answer } = await open();
    expect([answer.status, answer.headers.location, answer.text]).toEqual([303, `/imports/${id}`, ""]);
    expect(answer.headers["referrer-policy"]).toBe("no-referrer");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers["set-cookie"]).toHaveLength(1);
    expect(answer.headers["set-cookie"]?.[0]).toMatch(
      new RegExp(
        `^__Host-portage_${id}=[\\w-]{43}; Path=/; HttpOnly; Max-Age=2592000; Secure; SameSite=Lax$`,
      ),
    );
    expect(JSON.stringify(answer.headers)).not.toContain(token);
    expect(api.logged()).not.toContain(token);
  });

  test("keeps a valid screen name, and redirects nowhere else", async () => {
    const { id, token } = await newImport();
    const location = async (screen: string) =>
      (await get(`/imports/${id}/${token}?screen=${screen}`)).headers.location;
    expect(await location("match")).toBe(`/imports/${id}/match`);
    for (const screen of [
      "//evil.example",
      "..%2f..",
      "https:%2f%2fevil.example",
      "%0d%0aSet-Cookie:x",
      "/x",
    ])
      expect(await location(screen)).toBe(`/imports/${id}`);
  });

  test("HEAD checks the link without creating a session", async () => {
    const { id, token } = await newImport();
    const answer = await send(api.origin, { method: "HEAD", path: `/imports/${id}/${token}` });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([303, undefined]);
  });
});

describe("session fixation", () => {
  test("an existing cookie is never adopted, and every browser gets its own session", async () => {
    const { id, token, cookie } = await open();
    const planted = `__Host-portage_${id}=${"A".repeat(43)}`;
    for (const before of [planted, cookie]) {
      const answer = await get(`/imports/${id}/${token}`, { cookie: before });
      expect(answer.status).toBe(303);
      expect(cookieOf(answer)).not.toBe(before);
      expect((await get(`/imports/${id}`, { cookie: cookieOf(answer) })).status).toBe(200);
    }
    expect((await get(`/imports/${id}`, { cookie: planted })).status).toBe(401);
    expect((await get(`/imports/${id}`, { cookie })).status).toBe(200);
  });
});

describe("the application's page", () => {
  test("is the built one, with the theme and, without script, the status of the move", async () => {
    const { id, cookie, token } = await open();
    for (const path of [`/imports/${id}`, `/imports/${id}/connect`]) {
      const { status, headers, text } = await get(path, { cookie });
      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(text).toContain('<html lang="en"');
      expect(text).toContain('src="/wizard/assets/main-0000.js"');
      expect(text).toContain(`<link rel="stylesheet" href="/wizard/api/imports/${id}/theme.css"></head>`);
      expect(text.match(/<noscript>/g)).toHaveLength(1);
      expect(text).toContain('<strong lang="en">Collecting credentials</strong>');
      expect(text).not.toContain(token);
      expect(text).not.toContain(cookie.split("=")[1]);
    }
  });

  test("allows only its own scripts and no embedding", async () => {
    const { id, cookie } = await open();
    const { headers } = await get(`/imports/${id}`, { cookie });
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()") as string,
      "cache-control": "no-store",
    });
  });

  test("can be embedded only by origins that the operator configured", async () => {
    const branding = { embedOrigins: ["https://app.acme.example"] };
    const { id, token, cookie, answer } = await open({ branding });
    const { headers } = await get(`/imports/${id}`, { cookie });
    expect(headers["content-security-policy"]).toContain("frame-ancestors https://app.acme.example");
    expect(headers["x-frame-options"]).toBeUndefined();
    expect(answer.headers["set-cookie"]?.[0]).toContain("SameSite=Lax");
    const framed = { "sec-fetch-dest": "iframe" };
    const within = await get(`/imports/${id}/${token}`, framed);
    expect(within.headers["set-cookie"]?.[0]).toMatch(/; Secure; SameSite=None; Partitioned$/);
    const other = await newImport();
    const refused = await get(`/imports/${other.id}/${other.token}`, framed);
    expect(refused.headers["set-cookie"]?.[0]).toMatch(/; Secure; SameSite=Lax$/);
  });

  test("without a session, with a forged one or another import's: open your link again", async () => {
    const one = await open();
    const two = await open();
    const value = two.cookie.split("=")[1];
    for (const cookie of [
      "",
      `__Host-portage_${one.id}=${value}`,
      two.cookie,
      `portage_${one.id}=${value}`,
      "=;;",
    ]) {
      const { status, text, headers } = await get(`/imports/${one.id}`, { cookie });
      expect(status).toBe(401);
      expect(text).toContain("Open your link again");
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
    }
  });

  test("with a session that expired, was idle or exceeds its maximum age: open your link again", async () => {
    for (const column of ["expires_at", "expires_at = now() - interval '1 second', ends_at"]) {
      const { id, cookie } = await open();
      await api.db.pool.query(
        `update wizard_sessions set ${column} = now() - interval '1 second' where import_id = $1`,
        [id],
      );
      expect((await get(`/imports/${id}`, { cookie })).status).toBe(401);
    }
  });

  test("extends a session in use, with at most one write an hour, and never beyond thirty days", async () => {
    const { id, cookie } = await open();
    const expiry = async () => {
      const { rows } = await api.db.pool.query<{ hours: number }>(
        "select extract(epoch from expires_at - now())::float8 / 3600 as hours from wizard_sessions where import_id = $1",
        [id],
      );
      return rows[0]?.hours ?? 0;
    };
    const set = (expires: string, ends: string) =>
      api.db.pool.query(
        `update wizard_sessions set expires_at = now() + $2::interval, ends_at = now() + $3::interval where import_id = $1`,
        [id, expires, ends],
      );
    await set("11 hours 30 minutes", "20 days");
    await get(`/imports/${id}`, { cookie });
    expect(await expiry()).toBeLessThan(11.51);
    await set("10 hours", "20 days");
    await get(`/imports/${id}`, { cookie });
    expect(await expiry()).toBeGreaterThan(11.9);
    await set("1 hour", "2 hours");
    await get(`/imports/${id}`, { cookie });
    expect(await expiry()).toBeLessThan(2.01);
  });

  test("loses its session with the link that created it; several devices work at the same time", async () => {
    const { id, token, cookie } = await open();
    const second = cookieOf(await get(`/imports/${id}/${token}`));
    expect((await get(`/imports/${id}`, { cookie: second })).status).toBe(200);
    const fresh = (await reissueLink(api.db, api.sealer, id))?.reveal() ?? "";
    for (const each of [cookie, second])
      expect((await get(`/imports/${id}`, { cookie: each })).status).toBe(401);
    expect((await get(`/imports/${id}/${token}`)).status).toBe(404);
    const again = cookieOf(await get(`/imports/${id}/${fresh}`));
    expect((await get(`/imports/${id}`, { cookie: again })).status).toBe(200);
  });

  test("has at most fifty sessions per import: the oldest is evicted", async () => {
    const { id, token, cookie } = await open();
    for (let times = 0; times < 49; times += 1) await get(`/imports/${id}/${token}`);
    expect((await get(`/imports/${id}`, { cookie })).status).toBe(200);
    await get(`/imports/${id}/${token}`);
    expect((await get(`/imports/${id}`, { cookie })).status).toBe(401);
  });
});

describe("links that do not open", () => {
  test("wrong, of another import, or expired: 404 without further details", async () => {
    const one = await newImport({
      name: "Acme <Desk>",
      branding: { returnUrl: "https://acme.example/?a=1&b=2" },
    });
    const two = await newImport();
    const late = await makeLink(api.db, { importId: one.id, purpose: "email", expiresInMs: -1 });
    for (const path of [
      `/imports/${one.id}/${two.token}`,
      `/imports/${one.id}/${"0".repeat(32)}`,
      `/imports/${one.id}/${late.kind === "made" ? late.token.reveal() : ""}`,
    ]) {
      const { status, text, headers } = await get(path);
      expect([path, status, headers["set-cookie"]]).toEqual([path, 404, undefined]);
      expect(text).toContain("We can&#39;t find this move");
      expect(text).toContain("Acme &#60;Desk&#62;");
      expect(text).toContain('href="https://acme.example/?a=1&#38;b=2"');
      expect(text).not.toContain("Collecting");
    }
    for (const path of [
      `/imports/imp_00000000000000000000000000/${one.token}`,
      `/imports/x/${one.token}`,
      `/imports/${one.id}/SHORT`,
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  test("cancelled: shows the date and where the data is, to the holder of the link only", async () => {
    const made = await open();
    await cancel(made);
    await api.db.pool.query("update imports set closed_at = '2025-11-12T10:05:00Z' where id = $1", [made.id]);
    for (const [path, cookie] of [
      [`/imports/${made.id}/${made.token}`, ""],
      [`/imports/${made.id}`, made.cookie],
    ] as const) {
      const { status, text, headers } = await get(path, { cookie });
      expect([status, headers["set-cookie"]]).toEqual([410, undefined]);
      expect(text).toContain("This move was canceled</h1>");
      expect(text).toContain("This move was canceled on November 12, 2025.");
      expect(text).toContain("nothing of this move is in it");
    }
    expect((await get(`/imports/${made.id}/${"0".repeat(32)}`)).status).toBe(404);
    expect((await get(`/imports/${made.id}`)).text).not.toContain("canceled");
  });

  test("speak the language that was chosen in this browser, else one that it asks for", async () => {
    const made = await open();
    const german = await get(`/imports/${made.id}`, {
      cookie: made.cookie,
      "accept-language": "de-AT,en;q=0.5",
    });
    expect(german.text).toContain('<html lang="de"');
    expect(german.text).toContain("Schalten Sie JavaScript ein");
    await cancel(made);
    await api.db.pool.query("update imports set closed_at = '2025-11-12T10:05:00Z' where id = $1", [made.id]);
    const chosen = { "accept-language": "de", cookie: `${made.cookie}; portage-language=fr` };
    const { text } = await get(`/imports/${made.id}`, chosen);
    expect(text).toContain('<html lang="fr">');
    expect(text).toContain("Ce transfert a été abandonné le 12 novembre 2025.");
  });

  test("cancelled during a run: shows what stays, and when the sign-ins are erased", async () => {
    const made = await open();
    await api.db.pool.query(
      "update imports set status = 'sample_in_progress', live_run = 'sample' where id = $1",
      [made.id],
    );
    await cancel(made);
    const running = (await get(`/imports/${made.id}/${made.token}`)).text;
    expect(running).toContain("the copying is being stopped. What was copied until then stays there.");
    expect(running).toContain("your sign-ins are erased as soon as the copying has stopped");
    await moveImport(
      api.db,
      { type: "run_stopped", wrote: true },
      { importId: made.id, partnerId: null, actor: { kind: "system" } },
    );
    const settled = (await get(`/imports/${made.id}/${made.token}`)).text;
    expect(settled).toContain("what was copied before stays there");
    expect(settled).toContain("your sign-ins are erased.");
  });

  test("archived: has ended, and the new tool has the partner's name", async () => {
    const { id, token } = await newImport();
    await api.db.pool.query("update imports set closed = 'archived', closed_at = now() where id = $1", [id]);
    const { status, text } = await get(`/imports/${id}/${token}`);
    expect([status, text.includes("This move has ended")]).toEqual([410, true]);
    const { rows } = await api.db.pool.query<{ name: string }>(
      "select p.name from partners p join imports i on i.partner_id = p.id where i.id = $1",
      [id],
    );
    expect(text).toContain(`${rows[0]?.name}: nothing of this move is in it.`);
  });
});
