import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { WizardImport } from "@portage/contract/wizard";
import { openBrowser, ownPage } from "../../../../../test/support/browser-session.ts";
import { readEventStream } from "../../../../../test/support/event-stream.ts";
import { type Link, useWizard } from "../../../../../test/support/wizard.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import { saveLogo } from "../../../features/partners/index.ts";
import { reissueLink } from "../../../features/imports/index.ts";
import { makeLink, revokeLink } from "../../../features/links/index.ts";

const wizard = useWizard();
const { newLink } = wizard;
const enter = (link: Link) => openBrowser(wizard, link);
const settings = () => ({ settings: wizard.settingsOf(wizard.old) });
type Headers = Record<string, string>;

describe("a session", () => {
  test("grants the same access as the link's token", async () => {
    const link = await newLink();
    const browser = await enter(link);
    expect(browser.shown).toMatchObject({
      id: link.id,
      may: "everything",
      closed: null,
      run: null,
      payer: "partner_decides",
      sponsorship: "undecided",
      asked: false,
      paid: false,
      partner: {
        name: "Acme",
        helpUrl: null,
        helpEmail: null,
        privacyUrl: null,
        returnUrl: null,
        hasLogo: false,
      },
      retention: { days: { source: 7, destination: 30 }, undoEndsAt: null },
    });
    expect(browser.csrf).toMatch(/^[\w-]{43}$/);
    const byToken = (await wizard.ask(link, "GET")).json as WizardImport;
    expect(byToken).toEqual({ ...browser.shown, csrf: null });
    expect((await browser.change("PUT", "/connections/source", settings())).status).toBe(200);
    expect((await browser.ask("GET")).json).toMatchObject({ sides: { source: { connected: true } } });
  });

  // With a body Node sends a header as UTF-8, without one as Latin-1: é counts as two characters or as one.
  test.each([`${"a".repeat(41)}é`, `${"a".repeat(42)}é`, "é", "", "a".repeat(43)])(
    "a wrong CSRF token is forbidden: %s",
    async (csrf) => {
      const browser = await enter(await newLink());
      const path = "/connections/source";
      const answer = await browser.ask("PUT", path, settings(), {
        ...ownPage,
        "x-portage-csrf": csrf,
      });
      expect(answer.status).toBe(403);
    },
  );

  test("sees what can be moved and what copies keep, before connecting a tool", async () => {
    const { kinds } = (await wizard.ask(await newLink(), "GET")).json as WizardImport;
    const tickets = kinds?.find(({ name }) => name === "tickets");
    expect(tickets).toMatchObject({ silent: true, backdates: false, keepsAuthor: true, removable: true });
    expect(kinds?.map(({ name }) => name)).not.toContain("contacts");
  });

  test("shows when sign-ins are erased and undo ends, once the move is completed", async () => {
    const link = await newLink();
    await wizard.connect(link, "source", wizard.settingsOf(wizard.old));
    await wizard.connect(link, "destination", wizard.settingsOf(wizard.desk));
    await wizard.api.db.pool.query("update imports set status = 'migration_completed' where id = $1", [
      link.id,
    ]);
    await wizard.api.db.pool.query(
      `insert into audit (import_id, seq, event, from_status, to_status, actor, at)
       values ($1, 90, '{}', 'migration_in_progress', 'migration_completed', 'system', now() + interval '1 day')`,
      [link.id],
    );
    const { retention } = (await wizard.ask(link, "GET")).json as WizardImport;
    const inDays = (at: string | null) => Math.round((Date.parse(at ?? "") - Date.now()) / 86_400_000);
    expect(inDays(retention.signInErasedAt.source)).toBe(8);
    expect(inDays(retention.signInErasedAt.destination)).toBe(31);
    expect(retention.undoEndsAt).toBe(retention.signInErasedAt.destination);
  });

  test.each([
    ["forged", (cookie: string) => cookie.replace(/=.*/, `=${"A".repeat(43)}`)],
    ["cut short", (cookie: string) => cookie.slice(0, -1)],
    ["with more behind", (cookie: string) => `${cookie}A`],
    ["under a name without the prefix", (cookie: string) => cookie.replace("__Host-", "")],
    ["none", () => ""],
  ])("%s: 401", async (_, change) => {
    const link = await newLink();
    const { cookie, ask, csrf } = await enter(link);
    const headers = { ...ownPage, cookie: change(cookie), "x-portage-csrf": csrf };
    expect((await ask("GET", "", undefined, headers)).status).toBe(401);
    expect((await ask("PUT", "/connections/source", settings(), headers)).status).toBe(401);
  });

  test("of another import grants no access, and neither does its hash or the link's token as a cookie", async () => {
    const one = await newLink();
    const two = await enter(await newLink());
    const { rows } = await wizard.api.db.pool.query<{ key_hash: Buffer }>(
      "select key_hash from wizard_sessions limit 1",
    );
    const value = two.cookie.split("=")[1] ?? "";
    for (const each of [value, rows[0]?.key_hash.toString("base64url") ?? "", one.token]) {
      const headers = { cookie: `__Host-portage_${one.id}=${each}` };
      const { status } = await send(wizard.api.origin, { path: `/wizard/api/imports/${one.id}`, headers });
      expect(status).toBe(401);
    }
  });

  test("an authorization header takes precedence: a valid cookie does not rescue a wrong one", async () => {
    const { ask } = await enter(await newLink());
    expect((await ask("GET", "", undefined, { authorization: "Bearer 0" })).status).toBe(401);
  });

  test("the cookie appears only in the response that sets it, and in no log", async () => {
    const link = await newLink();
    const { cookie, ask } = await enter(link);
    const { text, headers } = await ask("GET");
    const value = cookie.split("=")[1] ?? "";
    expect(text + JSON.stringify(headers)).not.toContain(value);
    expect(text).not.toContain(link.token);
    expect(wizard.api.logged()).not.toContain(value);
    expect(wizard.api.logged()).not.toContain(link.token);
  });
});

describe("a change by cookie", () => {
  const attempt = async (headers: Headers | ((csrf: string) => Headers)) => {
    const { ask, csrf } = await enter(await newLink());
    const given = typeof headers === "function" ? headers(csrf) : headers;
    const { status, json } = await ask("PUT", "/connections/source", settings(), given);
    expect(((await ask("GET")).json as WizardImport).sides.source.connected).toBe(status === 200);
    return { status, code: (json as { error?: { code: string } }).error?.code };
  };
  const refused = { status: 403, code: "forbidden" };

  test("needs the CSRF token of its own session in the header", async () => {
    expect(await attempt(ownPage)).toEqual(refused);
    expect(await attempt({ ...ownPage, "x-portage-csrf": "" })).toEqual(refused);
    const other = await enter(await newLink());
    expect(await attempt({ ...ownPage, "x-portage-csrf": other.csrf })).toEqual(refused);
    const link = await newLink();
    const before = await enter(link);
    const now = await enter(link);
    const stale = { ...ownPage, "x-portage-csrf": before.csrf };
    expect((await now.ask("PUT", "/connections/source", settings(), stale)).status).toBe(403);
    expect(await attempt((csrf) => ({ ...ownPage, "x-portage-csrf": csrf }))).toMatchObject({ status: 200 });
  });

  test("accepts the token neither from the URL nor from the body", async () => {
    const { ask, csrf } = await enter(await newLink());
    const body = { ...settings(), csrf, "x-portage-csrf": csrf };
    for (const query of [`?csrf=${csrf}`, `?x-portage-csrf=${csrf}`, `?X-Portage-Csrf=${csrf}`])
      expect((await ask("PUT", `/connections/source${query}`, body, ownPage)).status).toBe(403);
  });

  test.each([
    ["cross-site", { "sec-fetch-site": "cross-site" }],
    ["same-site", { "sec-fetch-site": "same-site" }],
    ["typed", { "sec-fetch-site": "none" }],
    ["from another origin", { origin: "https://evil.example" }],
    ["from a sandboxed frame", { origin: "null" }],
    ["from our name without TLS", { origin: "http://portage.example" }],
    ["from a name that begins like ours", { origin: "https://portage.example.evil.example" }],
  ] as [string, Headers][])("%s: 403, even with the token", async (_, headers) => {
    expect(await attempt((csrf) => ({ ...headers, "x-portage-csrf": csrf }))).toEqual(refused);
  });

  test("another site's page can't read by cookie, while the address bar can", async () => {
    const { ask } = await enter(await newLink());
    for (const site of ["cross-site", "same-site"])
      expect((await ask("GET", "", undefined, { "sec-fetch-site": site })).status).toBe(403);
    for (const site of ["same-origin", "none"])
      expect((await ask("GET", "", undefined, { "sec-fetch-site": site })).status).toBe(200);
  });
});

describe("the live stream", () => {
  test("ends with its session, while other streams continue", async () => {
    const link = await newLink();
    const made = await makeLink(wizard.api.db, { importId: link.id, purpose: "email", expiresInMs: 600_000 });
    if (made.kind !== "made") throw new Error(made.kind);
    const browsers = [
      await enter(link),
      await openBrowser(wizard, { id: link.id, token: made.token.reveal() }),
    ];
    const leave = new AbortController();
    const [own, emailed] = await Promise.all(
      browsers.map(async ({ cookie }) =>
        readEventStream(
          await fetch(`${wizard.api.origin}/wizard/api/imports/${link.id}/progress/stream`, {
            headers: { cookie },
            signal: leave.signal,
          }),
        ),
      ),
    );
    if (!own || !emailed) throw new Error("no streams");
    await Promise.all([own, emailed].map(async (page) => page.events[0] ?? page.next()));
    await revokeLink(wizard.api.db, link.id, made.id);
    await emailed.ended;
    const stillOpen = await Promise.race([own.ended.then(() => false), sleep(1_500).then(() => true)]);
    expect(stillOpen).toBe(true);
    await reissueLink(wizard.api.db, wizard.api.sealer, link.id);
    await own.ended;
    leave.abort();
  });
});

describe("the partner's branding", () => {
  test("is its color as a stylesheet, and its logo, for every session", async () => {
    const link = await newLink();
    const { ask } = await enter(link);
    const { rows } = await wizard.api.db.pool.query<{ partner_id: string }>(
      `update partners set branding = '{"color": "#FFEE00"}'
       where id = (select partner_id from imports where id = $1) returning id as partner_id`,
      [link.id],
    );
    const theme = await ask("GET", "/theme.css");
    expect([theme.status, theme.headers["content-type"]]).toEqual([200, "text/css; charset=utf-8"]);
    expect(theme.text).toMatch(/^:root\{--brand:#(?!ffee00)[0-9a-f]{6};/);
    expect((await ask("GET", "/logo")).status).toBe(404);
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    await saveLogo(wizard.api.db, rows[0]?.partner_id ?? "", { contentType: "image/svg+xml", bytes });
    const logo = await ask("GET", "/logo");
    expect([logo.status, logo.text]).toEqual([200, bytes.toString()]);
    expect(logo.headers).toMatchObject({
      "content-type": "image/svg+xml",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    expect((await ask("GET")).json).toMatchObject({ partner: { hasLogo: true } });
    for (const path of ["/theme.css", "/logo"])
      expect((await ask("GET", path, undefined, { cookie: "" })).status).toBe(401);
  });
});

test("no response contains a secret that the customer typed or the partner supplied", async () => {
  const link = await newLink({ destination_token: "given-secret" });
  const { change, ask } = await enter(link);
  await change("PUT", "/connections/source", settings());
  await change("POST", "/links", { purpose: "admin", side: "destination" });
  for (const path of ["", "/links", "/progress", "/preflight", "/mapping", "/warnings", "/report"]) {
    const { text } = await ask("GET", path);
    for (const secret of ["right-key", "given-secret", link.token])
      expect([path, text.includes(secret)]).toEqual([path, false]);
  }
});
