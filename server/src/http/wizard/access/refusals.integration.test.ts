import { describe, expect, test } from "vitest";
import { useWizard } from "../../../../../test/support/wizard.ts";
import { findAnyImport } from "../../../features/imports/index.ts";

const wizard = useWizard();
const { api, newLink, ask, connect } = wizard;

describe("rejected connections", () => {
  test.each([
    [{}, { instanceUrl: ["can't be blank"], token: ["can't be blank"] }],
    [
      { instanceUrl: "", token: " " },
      { instanceUrl: [/^must be an address/], token: ["can't be blank"] },
    ],
    [
      { instanceUrl: "redmine", token: 7 },
      { instanceUrl: [/^must be an address/], token: ["must be a string"] },
    ],
    [
      { instanceUrl: "https://a.example", token: "t", textFormat: "word" },
      { textFormat: ["must be one of textile, markdown"] },
    ],
  ])("%j", async (settings, errors) => {
    const link = await newLink();
    const before = wizard.old.keys.length;
    const { status, json } = await connect(link, "source", settings);
    expect(status).toBe(422);
    expect(Object.keys(json as object)).toEqual(Object.keys(errors));
    for (const [name, [message]] of Object.entries(errors) as [string, [string | RegExp]][])
      expect((json as Record<string, string[]>)[name]?.[0]).toMatch(message);
    expect(wizard.old.keys).toHaveLength(before);
  });

  test.each([
    ["wrong-key", "token", "was not accepted", /did not accept the API access key/, /Copy all of it again/],
    ["key-of-a-member", "token", "was not accepted", /not an administrator's/, /Of an administrator/],
    ["key-without-rights", "token", /rights/, /does not let this account/, /administrator/],
    ["key-while-moved", "instanceUrl", /not the right/, /There is no Redmine/, /browser/],
    ["key-of-a-shop", "instanceUrl", /not the right/, /There is no Redmine/, /browser/],
    ["key-while-broken", null, "", /not working at the moment/, /Try again in a few minutes/],
    ["key-while-busy", null, "", /not working at the moment/, /Try again in a few minutes/],
  ])("the tool rejects %s", async (token, setting, predicate, message, fix) => {
    const link = await newLink();
    const { status, json } = await connect(link, "source", { instanceUrl: wizard.old.url, token });
    expect(status).toBe(422);
    const { base, refusal, ...fields } = json as Record<string, string[]>;
    expect(refusal).toMatchObject({
      code: expect.any(String),
      setting,
      detail: expect.stringMatching(/^[a-z_]+( \(\d{3}\))?$/),
    });
    expect(base).toEqual([expect.stringMatching(message), expect.stringMatching(fix)]);
    expect(fields).toEqual(setting === null ? {} : { [setting]: [expect.stringMatching(predicate)] });
    expect(JSON.stringify(json)).not.toContain(token);
    expect((await findAnyImport(api.db, api.sealer, link.id))?.state.sourceConnected).toBe(false);
  });

  test.each([
    ["https://no-such-host.invalid", /could not find no-such-host.invalid/, /typing mistakes/],
    ["http://redmine.acme.example", /must be called with https/, /https:\/\/ in front/],
    ["https://127.0.0.1:9", /not at a public address/, /Only your own network/],
  ])("no tool answers at %s", async (instanceUrl, message, fix) => {
    const { status, json } = await connect(await newLink(), "source", { instanceUrl, token: "right-key" });
    expect(status).toBe(422);
    expect(json).toEqual({
      instanceUrl: ["is not the right address"],
      base: [expect.stringMatching(message), expect.stringMatching(fix)],
      refusal: expect.objectContaining({ code: "wrong_address", setting: "instanceUrl" }),
    });
  });

  test("a body that is not JSON, a body without settings, an unknown side", async () => {
    const link = await newLink();
    const put = (path: string, body?: object) => ask(link, "PUT", path, body);
    expect((await put("/connections/source")).status).toBe(400);
    expect(await put("/connections/source", { token: "x" })).toMatchObject({
      status: 422,
      json: { settings: ["must be an object with the tool's settings"] },
    });
    expect((await put("/connections/middle", { settings: {} })).status).toBe(404);
    expect((await ask(link, "DELETE", "/connections/middle")).status).toBe(404);
  });
});
