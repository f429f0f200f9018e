import { describe, expect, test } from "vitest";
import type { ListedLinks, MadeLink, WizardImport } from "@portage/contract/wizard";
import { openBrowser } from "../../../../../test/support/browser-session.ts";
import { type Link, useWizard } from "../../../../../test/support/wizard.ts";
import { send } from "../../../../../test/contract/http-client.ts";
import { findAnyImport, reissueLink } from "../../../features/imports/index.ts";
import { makeLink, revokeLink } from "../../../features/links/index.ts";

const wizard = useWizard();
const { newLink } = wizard;
const enter = (link: Link) => openBrowser(wizard, link);
const settings = () => ({ settings: wizard.settingsOf(wizard.old) });
const tokenOf = (url: string) => new URL(url).pathname.split("/").at(-1) ?? "";

describe("a link for an admin", () => {
  const share = async (side = "source") => {
    const link = await newLink();
    const customer = await enter(link);
    const made = (await customer.change("POST", "/links", { purpose: "admin", side })).json as MadeLink;
    return {
      link,
      customer,
      made,
      admin: await openBrowser(wizard, { id: link.id, token: tokenOf(made.url) }),
    };
  };

  test("connects its one side", async () => {
    const { admin, customer, made, link } = await share();
    expect(made.url).toMatch(new RegExp(`^https://portage\\.example/imports/${link.id}/[0-9a-f]{32}$`));
    expect(Math.round((Date.parse(made.expiresAt) - Date.now()) / 86_400_000)).toBe(7);
    expect(admin.shown.may).toEqual({ connect: "source" });
    expect((await admin.change("PUT", "/connections/source", settings())).status).toBe(200);
    expect((await customer.ask("GET")).json).toMatchObject({ sides: { source: { connected: true } } });
    expect((await admin.change("DELETE", "/connections/source")).status).toBe(200);
    expect((await admin.ask("GET", "/theme.css")).status).toBe(200);
  });

  test("sees nothing of the other side but whether it is connected", async () => {
    const { admin, link } = await share();
    await wizard.connect(link, "destination", wizard.settingsOf(wizard.desk));
    const { json, text } = await admin.ask("GET");
    const { sides, warnings, run } = json as WizardImport;
    expect(sides.destination).toMatchObject({
      connected: true,
      accountName: null,
      signInName: null,
      values: {},
      alternative: null,
    });
    expect([sides.destination.form.properties, warnings, run]).toEqual([{}, [], null]);
    expect(text).not.toContain(wizard.desk.url);
    expect(Object.keys(sides.source.form.properties)).toContain("instanceUrl");
  });

  test.each([
    ["PUT", "/connections/destination"],
    ["DELETE", "/connections/destination"],
    ["POST", "/connections/destination/sign-in"],
    ["POST", "/runs"],
    ["POST", "/links"],
    ["GET", "/links"],
    ["DELETE", "/links/lnk_x"],
    ["GET", "/progress"],
    ["GET", "/progress/stream"],
    ["GET", "/report"],
    ["GET", "/mapping"],
    ["GET", "/preflight"],
    ["GET", "/warnings"],
    ["GET", "/sample"],
  ])("may not %s %s: 403 with an explanation", async (method, path) => {
    const { admin } = await share();
    const { status, text } = await admin.change(method, path, method === "GET" ? undefined : settings());
    expect(status).toBe(403);
    expect(text).toContain("only connects the old tool");
  });

  test("is listed without its token; revoking it ends its sessions at once", async () => {
    const { customer, admin, made, link } = await share();
    const { json, text } = await customer.ask("GET", "/links");
    expect((json as ListedLinks).links).toMatchObject([{ id: made.id, purpose: "admin", side: "source" }]);
    expect(text).not.toContain(tokenOf(made.url));
    const other = await enter(await newLink());
    expect((await other.change("DELETE", `/links/${made.id}`)).status).toBe(404);
    expect((await admin.ask("GET")).status).toBe(200);
    expect((await customer.change("DELETE", `/links/${made.id}`)).status).toBe(200);
    expect((await customer.change("DELETE", `/links/${made.id}`)).status).toBe(404);
    expect((await admin.ask("GET")).status).toBe(401);
    const again = await send(wizard.api.origin, { path: `/imports/${link.id}/${tokenOf(made.url)}` });
    expect(again.status).toBe(404);
    expect((await customer.ask("GET")).status).toBe(200);
  });

  test("ends with its sessions when it expires and when the customer's own link is replaced", async () => {
    const { admin, made, link } = await share();
    await wizard.api.db.pool.query("update import_links set expires_at = now() where id = $1", [made.id]);
    expect((await admin.ask("GET")).status).toBe(401);
    await wizard.api.db.pool.query(
      "update import_links set expires_at = now() + interval '1 day' where id = $1",
      [made.id],
    );
    expect((await admin.ask("GET")).status).toBe(200);
    await reissueLink(wizard.api.db, wizard.api.sealer, link.id);
    expect((await admin.ask("GET")).status).toBe(401);
    const again = await send(wizard.api.origin, { path: `/imports/${link.id}/${tokenOf(made.url)}` });
    expect(again.status).toBe(404);
  });

  test("is limited to twenty per import, and must be well-formed", async () => {
    const { customer } = await share();
    for (let times = 1; times < 20; times += 1)
      expect((await customer.change("POST", "/links", { purpose: "admin", side: "source" })).status).toBe(
        200,
      );
    expect((await customer.change("POST", "/links", { purpose: "admin", side: "source" })).status).toBe(422);
    for (const body of [{}, { purpose: "email" }, { purpose: "admin", side: "left" }])
      expect((await customer.change("POST", "/links", body)).status).toBe(422);
  });
});

describe("links made elsewhere", () => {
  test("by email grant full access, and a session never outlives its link", async () => {
    const { id } = await newLink();
    const made = await makeLink(wizard.api.db, { importId: id, purpose: "email", expiresInMs: 60_000 });
    if (made.kind !== "made") throw new Error(made.kind);
    const browser = await openBrowser(wizard, { id, token: made.token.reveal() });
    expect(browser.shown.may).toBe("everything");
    const { rows } = await wizard.api.db.pool.query<{ ok: boolean }>(
      "select ends_at <= now() + interval '1 minute' as ok from wizard_sessions where import_id = $1",
      [id],
    );
    expect(rows).toEqual([{ ok: true }]);
    expect(await revokeLink(wizard.api.db, id, made.id)).toBe(true);
    expect((await browser.ask("GET")).status).toBe(401);
  });

  test("are not created for a closed import, nor under a link that was replaced meanwhile", async () => {
    const { id } = await newLink();
    const { db, sealer } = wizard.api;
    const underMark = (await findAnyImport(db, sealer, id))?.linkMark ?? "";
    const wanted = { importId: id, purpose: "email", expiresInMs: 60_000 } as const;
    expect((await makeLink(db, { ...wanted, underMark })).kind).toBe("made");
    await reissueLink(db, sealer, id);
    expect((await makeLink(db, { ...wanted, underMark })).kind).toBe("missing");
    await wizard.move(id, { type: "cancelled" });
    expect((await makeLink(db, wanted)).kind).toBe("missing");
  });
});
