import { describe, expect, test } from "vitest";
import { live } from "../../../../../test/contract/api.ts";
import { useWizard } from "../../../../../test/support/wizard.ts";
import { findAnyImport, listAudit } from "../../../features/imports/index.ts";

const wizard = useWizard();
const { api, newLink, ask, connect, move } = wizard;

describe("the settings form", () => {
  test("lists each tool's settings, names those that the partner supplied, and shows no secret", async () => {
    const link = await newLink({
      destination_instance_url: wizard.desk.url,
      destination_username: "jo@acme.example",
      destination_token: "right-key",
    });
    const { json, text } = await ask(link, "GET");
    expect(json).toMatchObject({
      id: link.id,
      status: { code: "collecting_credentials", text: "Collecting credentials" },
      family: "helpdesk",
      warnings: [],
      sides: {
        source: {
          tool: "redmine",
          label: "Redmine",
          signIn: "secret",
          state: "disconnected",
          connected: false,
          accountName: null,
          signInName: null,
          supplied: [],
          values: {},
          alternative: null,
          form: {
            required: ["instanceUrl", "token"],
            properties: {
              instanceUrl: { title: "Redmine address", type: "string" },
              token: { title: "API access key", writeOnly: true },
              textFormat: { enum: ["textile", "markdown"], default: "textile" },
            },
          },
        },
        destination: {
          connected: true,
          accountName: wizard.desk.host,
          signInName: "jo",
          supplied: ["instanceUrl", "token"],
          values: {},
          alternative: null,
        },
      },
    });
    expect(text).not.toContain("right-key");
    expect(text).not.toContain(wizard.desk.url);
    await connect(link, "source", { ...wizard.settingsOf(wizard.old), textFormat: "markdown" });
    const after = await ask(link, "GET");
    expect(after.json).toMatchObject({
      sides: { source: { connected: true, values: { instanceUrl: wizard.old.url, textFormat: "markdown" } } },
    });
    expect(after.text).not.toContain("right-key");
  });
});

describe("connecting", () => {
  test("both sides: stores encrypted credentials and advances the import", async () => {
    const link = await newLink();
    expect(await connect(link, "source", wizard.settingsOf(wizard.old))).toMatchObject({
      status: 200,
      json: { accountName: wizard.old.host, signInName: "jo" },
    });
    expect((await findAnyImport(api.db, api.sealer, link.id))?.state.status).toBe("collecting_credentials");
    expect(
      (await connect(link, "destination", { ...wizard.settingsOf(wizard.desk), notifications: "off" }))
        .status,
    ).toBe(200);
    expect((await findAnyImport(api.db, api.sealer, link.id))?.state).toMatchObject({
      status: "waiting_for_sample",
      sourceConnected: true,
      destinationConnected: true,
    });
    const audit = await listAudit(api.db, link.id);
    expect(audit.map(({ event, actor }) => [event.type, actor]).slice(1)).toEqual([
      ["connected", "customer"],
      ["connected", "customer"],
    ]);
    const { rows } = await api.db.pool.query<{ all: string }>(
      "select encode(settings, 'escape') as all from connections where import_id = $1",
      [link.id],
    );
    expect(rows).toHaveLength(2);
    for (const { all } of rows) expect(all).not.toMatch(/right-key|127\.0\.0\.1/);
    expect(api.logged()).not.toContain("right-key");
    expect(api.logged()).not.toContain(link.token);
    // The name found by signing in finds the import.
    const { json } = await api.ask({
      path: `${live}/imports?destination_username=JO`,
      token: link.partnerToken,
    });
    expect(json).toMatchObject([{ id: link.id }]);
  });

  test("the warning about an unchecked destination disappears once it is checked", async () => {
    const link = await newLink({
      destination_instance_url: wizard.desk.url,
      destination_token: "key-while-broken",
    });
    const codes = async () =>
      ((await ask(link, "GET")).json as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
    expect(await codes()).toEqual(["destination_unchecked"]);
    expect((await connect(link, "destination", { token: "right-key" })).status).toBe(200);
    expect(await codes()).toEqual([]);
  });
});

describe("what the partner supplied", () => {
  test("is combined with the customer's input, which may override the key but not the address", async () => {
    const link = await newLink({ destination_instance_url: wizard.desk.url });
    expect(await connect(link, "destination", { ...wizard.settingsOf(wizard.desk) })).toMatchObject({
      status: 422,
      json: { instanceUrl: ["is set already and can't be changed here"] },
    });
    expect((await connect(link, "destination", { token: "second-right-key" })).json).toEqual({
      accountName: wizard.desk.host,
      signInName: "kim",
    });
    const whole = await newLink({
      destination_instance_url: wizard.desk.url,
      destination_token: "right-key",
    });
    expect((await connect(whole, "destination", {})).json).toMatchObject({ signInName: "jo" });
    expect((await connect(whole, "destination", { token: "second-right-key" })).json).toMatchObject({
      signInName: "kim",
    });
  });

  test("as a key is never sent to an address that the customer typed", async () => {
    const link = await newLink({ destination_token: "second-right-key" });
    const before = wizard.old.keys.length;
    expect(await connect(link, "destination", { instanceUrl: wizard.old.url })).toMatchObject({
      status: 422,
      json: { token: ["must be typed together with the address"] },
    });
    expect(wizard.old.keys).toHaveLength(before);
    expect((await connect(link, "destination", wizard.settingsOf(wizard.old))).status).toBe(200);
  });
});

describe("connecting again", () => {
  test("before the first copy: with any account", async () => {
    const link = await newLink();
    await connect(link, "source", wizard.settingsOf(wizard.old));
    expect((await connect(link, "source", wizard.settingsOf(wizard.desk))).json).toMatchObject({
      accountName: wizard.desk.host,
    });
  });

  test("after the first copy: only with the same account, even after disconnecting", async () => {
    const link = await newLink();
    await connect(link, "source", wizard.settingsOf(wizard.old));
    await connect(link, "destination", wizard.settingsOf(wizard.desk));
    await move(link.id, { type: "sample_started" });
    const other = await connect(link, "destination", wizard.settingsOf(wizard.old));
    expect(other).toMatchObject({
      status: 422,
      json: { base: [expect.stringContaining(`the copies are in ${wizard.desk.host}`)] },
    });
    await move(link.id, { type: "run_done" });
    for (const again of ["", "after disconnecting"]) {
      if (again) expect((await ask(link, "DELETE", "/connections/destination")).status).toBe(200);
      expect((await connect(link, "destination", wizard.settingsOf(wizard.old))).status).toBe(422);
      expect((await connect(link, "source", wizard.settingsOf(wizard.desk))).status).toBe(422);
    }
    expect((await ask(link, "GET")).json).toMatchObject({
      sides: { destination: { state: "disconnected", accountName: wizard.desk.host, values: {} } },
    });
    expect((await connect(link, "destination", wizard.settingsOf(wizard.desk))).status).toBe(200);
  });
});

describe("disconnecting", () => {
  test("erases the credentials, including the partner's key, and the import asks for them again", async () => {
    const link = await newLink({ destination_instance_url: wizard.desk.url, destination_token: "right-key" });
    await connect(link, "source", wizard.settingsOf(wizard.old));
    expect((await findAnyImport(api.db, api.sealer, link.id))?.state.status).toBe("waiting_for_sample");
    expect(await ask(link, "DELETE", "/connections/destination")).toMatchObject({ status: 200, text: "" });
    expect((await findAnyImport(api.db, api.sealer, link.id))?.state.status).toBe("collecting_credentials");
    const { rows } = await api.db.pool.query(
      `select c.state, c.settings, i.destination_token from connections c join imports i on i.id = c.import_id
       where c.import_id = $1 and side = 'destination'`,
      [link.id],
    );
    expect(rows).toEqual([{ state: "disconnected", settings: null, destination_token: null }]);
    expect(await connect(link, "destination", {})).toMatchObject({
      status: 422,
      json: { token: ["can't be blank"] },
    });
    expect((await ask(link, "DELETE", "/connections/destination")).status).toBe(200);
  });

  test("waits for the end of a run", async () => {
    const link = await newLink();
    await connect(link, "source", wizard.settingsOf(wizard.old));
    await connect(link, "destination", wizard.settingsOf(wizard.desk));
    await move(link.id, { type: "sample_started" });
    expect(await ask(link, "DELETE", "/connections/source")).toMatchObject({
      status: 409,
      json: { error: { code: "conflict" } },
    });
    await move(link.id, { type: "run_done" });
    expect((await ask(link, "DELETE", "/connections/source")).status).toBe(200);
  });
});

describe("a page that is open when its move is canceled", () => {
  const cancel = (link: { id: string; partnerToken: string }) =>
    api.ask({ method: "POST", path: `${live}/imports/${link.id}/cancel`, token: link.partnerToken });
  const closed = async (link: Parameters<typeof ask>[0]) =>
    ((await ask(link, "GET")).json as { closed: object }).closed;
  const sampling = async () => {
    const link = await newLink();
    await connect(link, "source", wizard.settingsOf(wizard.old));
    await connect(link, "destination", wizard.settingsOf(wizard.desk));
    await move(link.id, { type: "sample_started" });
    return link;
  };

  test("during a run: shows sign-ins as erased only once they are", async () => {
    const link = await sampling();
    await cancel(link);
    expect(await closed(link)).toMatchObject({ kind: "cancelled", copies: "stopping", signInsErased: false });
    await move(link.id, { type: "run_stopped", wrote: true });
    expect(await closed(link)).toMatchObject({ copies: "there", signInsErased: true });
  });

  test("after an undo: claims no remaining copies", async () => {
    const link = await sampling();
    for (const type of ["run_done", "undo_started", "run_done"] as const) await move(link.id, { type });
    await cancel(link);
    expect(await closed(link)).toMatchObject({ copies: "removed", signInsErased: true });
  });
});
