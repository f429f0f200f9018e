import { describe, expect, test } from "vitest";
import type { MadeLink, WizardImport } from "@portage/contract/wizard";
import { openBrowser } from "../../../../../test/support/browser-session.ts";
import { startMailServer } from "../../../../../test/support/mail-server.ts";
import { useWizard } from "../../../../../test/support/wizard.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import { createMailSender, createSmtp } from "../../../features/mail/index.ts";
import { createLog } from "../../../platform/log.ts";

const wizard = useWizard({ sendsMail: true });
const silent = useWizard();
const email = "alice.customer@example.com";

const noticesOf = async (link: Parameters<typeof wizard.ask>[0]) =>
  ((await wizard.ask(link, "GET")).json as WizardImport).notices;

/** Runs the sample, sends the mail that it queues, and returns it. */
const mailed = async (id: string) => {
  const server = await startMailServer();
  for (const event of [
    { type: "connected", side: "source" },
    { type: "connected", side: "destination" },
    { type: "sample_started" },
    { type: "run_done" },
  ] as const)
    await wizard.move(id, event);
  const { db, sealer } = wizard.api;
  await createMailSender({
    db,
    sealer,
    from: "moves@portage.example",
    publicUrl: "https://portage.example",
    log: createLog("silent"),
    labelOf: (tool) => tool,
    send: createSmtp({ host: "127.0.0.1", port: server.port, secure: false, requireTls: false, auth: null }),
  }).sendDue();
  await server.close();
  const [got] = server.received;
  const text = got?.mail.text ?? "";
  return {
    got,
    token: /\/imports\/[^/]+\/([0-9a-f]{32})\?screen=review/.exec(text)?.[1] ?? "",
    stopPath: new URL(/https:\S+\/mail\/stop\/\S+/.exec(text)?.[0] ?? "https://none.example").pathname,
  };
};

describe("an address for mails", () => {
  test("is set, shown masked, changed and removed", async () => {
    const link = await wizard.newLink();
    expect(await noticesOf(link)).toEqual({ email: null });
    const set = await wizard.ask(link, "PUT", "/notices", { email, language: "en" });
    expect([set.status, set.json]).toEqual([200, { email: "a…@example.com" }]);
    const { text } = await wizard.ask(link, "GET");
    expect(text).toContain("a…@example.com");
    expect(text).not.toContain("alice");
    await wizard.ask(link, "PUT", "/notices", { email: "bob@example.org" });
    expect(await noticesOf(link)).toEqual({ email: "b…@example.org" });
    expect((await wizard.ask(link, "DELETE", "/notices")).status).toBe(200);
    expect(await noticesOf(link)).toEqual({ email: null });
    expect((await wizard.ask(link, "DELETE", "/notices")).status).toBe(200);
    expect(wizard.api.logged()).not.toMatch(/alice|bob@/);
  });

  test.each([
    {},
    { email: 7 },
    { email: "alice" },
    { email: "alice@example.com\r\nBcc: eve@example.com" },
    { email: "Alice <alice@example.com>" },
    { email: "alice@example.com,eve@example.com" },
    { email: `${"a".repeat(250)}@example.com` },
    { email, language: "english" },
    { email, language: "en\r\n" },
  ])("is rejected when invalid: %j", async (body) => {
    const link = await wizard.newLink();
    expect((await wizard.ask(link, "PUT", "/notices", body)).status).toBe(422);
    expect(await noticesOf(link)).toEqual({ email: null });
  });

  test("needs the CSRF token, and is closed to an admin of one side", async () => {
    const link = await wizard.newLink();
    const customer = await openBrowser(wizard, link);
    expect((await customer.ask("PUT", "/notices", { email })).status).toBe(403);
    expect((await customer.change("PUT", "/notices", { email })).status).toBe(200);
    const made = await customer.change("POST", "/links", { purpose: "admin", side: "source" });
    const token = new URL((made.json as MadeLink).url).pathname.split("/").at(-1) ?? "";
    const admin = await openBrowser(wizard, { id: link.id, token });
    expect(admin.shown.notices).toBeNull();
    expect((await admin.change("PUT", "/notices", { email })).status).toBe(403);
    expect((await admin.change("DELETE", "/notices")).status).toBe(403);
  });

  test("is not offered when the installation sends no mail", async () => {
    const link = await silent.newLink();
    expect(((await silent.ask(link, "GET")).json as WizardImport).notices).toBeNull();
    expect((await silent.ask(link, "PUT", "/notices", { email })).status).toBe(404);
  });
});

describe("a mail's links", () => {
  test("open a session with full access; revoking them ends it", async () => {
    const link = await wizard.newLink();
    await wizard.ask(link, "PUT", "/notices", { email });
    const { token } = await mailed(link.id);
    const entered = await send(wizard.api.origin, { path: `/imports/${link.id}/${token}?screen=review` });
    expect(entered.headers["location"]).toBe(`/imports/${link.id}/review`);
    const browser = await openBrowser(wizard, { id: link.id, token });
    expect(browser.shown.may).toBe("everything");
    // After a change of address the mails to the old one may be in the wrong hands.
    await wizard.ask(link, "PUT", "/notices", { email });
    expect((await browser.ask("GET")).status).toBe(200);
    await wizard.ask(link, "PUT", "/notices", { email: "bob@example.org" });
    expect((await browser.ask("GET")).status).toBe(401);
    expect((await send(wizard.api.origin, { path: `/imports/${link.id}/${token}` })).status).toBe(404);
  });

  test("unsubscribing does not end the session of the mailed link", async () => {
    const link = await wizard.newLink();
    await wizard.ask(link, "PUT", "/notices", { email });
    const browser = await openBrowser(wizard, { id: link.id, token: (await mailed(link.id)).token });
    expect((await browser.change("DELETE", "/notices")).status).toBe(200);
    expect((await browser.ask("GET")).status).toBe(200);
  });

  test("unsubscribe by one POST (RFC 8058); GET does not unsubscribe", async () => {
    const link = await wizard.newLink();
    await wizard.ask(link, "PUT", "/notices", { email });
    const { got, stopPath } = await mailed(link.id);
    expect(got?.header("list-unsubscribe")).toContain(stopPath);
    const page = await send(wizard.api.origin, { path: stopPath });
    expect([page.status, page.text.includes('method="post"')]).toEqual([200, true]);
    expect(page.headers["content-security-policy"]).toContain("form-action 'self'");
    await send(wizard.api.origin, { method: "POST", path: `${stopPath.slice(0, -4)}0000` });
    await send(wizard.api.origin, { method: "POST", path: "/mail/stop/x%00y/z" });
    expect(await noticesOf(link)).toEqual({ email: "a…@example.com" });
    const oneClick = {
      method: "POST",
      path: stopPath,
      body: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    };
    expect((await send(wizard.api.origin, oneClick)).status).toBe(200);
    expect(await noticesOf(link)).toEqual({ email: null });
    expect((await send(wizard.api.origin, oneClick)).status).toBe(200);
    // The key of the old address does not unsubscribe the new one.
    await wizard.ask(link, "PUT", "/notices", { email: "bob@example.org" });
    await send(wizard.api.origin, oneClick);
    expect(await noticesOf(link)).toEqual({ email: "b…@example.org" });
  });
});
