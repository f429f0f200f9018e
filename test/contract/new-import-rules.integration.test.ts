import { newImportErrorKeys } from "@portage/contract";
import { describe, expect, test } from "vitest";
import { bothBases, live, useApi } from "./api.ts";

const api = useApi();
const fine = { source_tool: "request-tracker" };

const chars = (n: number, character = "a") => character.repeat(n);

/** Property, value, and the expected message; null: accepted. */
const rules: [property: string, title: string, value: unknown, predicate: string | string[] | null][] = [
  ["source_tool", "left out", undefined, "can't be blank"],
  ["source_tool", "null", null, "can't be blank"],
  ["source_tool", "blank", "  ", "can't be blank"],
  ["source_tool", "not a string", 7, "must be a string"],
  ["source_tool", "an object", { name: "redmine" }, "must be a string"],
  ["source_tool", "not listed", "zendesk", "is not supported"],
  [
    "source_tool",
    "the label",
    "Request Tracker",
    ["is not supported", 'is probably meant to be "request-tracker"'],
  ],
  [
    "source_tool",
    "a typo",
    "requst-tracker",
    ["is not supported", 'is probably meant to be "request-tracker"'],
  ],
  ["source_tool", "a prototype's name", "constructor", "is not supported"],
  ["source_tool", "as listed", "request-tracker", null],
  ["destination_instance_url", "http", "http://desk.acme.example", null],
  ["destination_instance_url", "https with path and port", "https://acme.example:8443/desk", null],
  ["destination_instance_url", "null", null, null],
  ["destination_instance_url", "relative", "/desk", "must be an http or https address without a user name"],
  [
    "destination_instance_url",
    "another scheme",
    "ftp://acme.example",
    "must be an http or https address without a user name",
  ],
  [
    "destination_instance_url",
    "javascript",
    "javascript:alert(1)",
    "must be an http or https address without a user name",
  ],
  [
    "destination_instance_url",
    "without slashes",
    "http:acme.example",
    "must be an http or https address without a user name",
  ],
  [
    "destination_instance_url",
    "with a user",
    "https://jo@acme.example",
    "must be an http or https address without a user name",
  ],
  [
    "destination_instance_url",
    "with a password",
    "https://jo:pw@acme.example",
    "must be an http or https address without a user name",
  ],
  [
    "destination_instance_url",
    "with an empty user",
    "https://@acme.example",
    "must be an http or https address without a user name",
  ],
  [
    "destination_instance_url",
    "with a space",
    "https://acme.example/a b",
    "must be an http or https address without a user name",
  ],
  ["destination_instance_url", "empty", "", "must be an http or https address without a user name"],
  ["destination_instance_url", "not a string", ["https://acme.example"], "must be a string"],
  ["destination_instance_url", "2,048 characters", `https://acme.example/${chars(2027)}`, null],
  [
    "destination_instance_url",
    "2,049 characters",
    `https://acme.example/${chars(2028)}`,
    "is too long (at most 2048 characters)",
  ],
  ["destination_username", "a name", "jo", null],
  ["destination_username", "null", null, null],
  ["destination_username", "blank", " \t", "can't be blank"],
  ["destination_username", "320 characters", chars(320), null],
  ["destination_username", "320 emoji", chars(320, "😀"), null],
  ["destination_username", "321 characters", chars(321), "is too long (at most 320 characters)"],
  ["destination_username", "with a NUL", "jo\0", "has a character that is not allowed"],
  ["destination_username", "half a surrogate pair", "jo\ud83d", "has a character that is not allowed"],
  ["destination_username", "not a string", true, "must be a string"],
  ["destination_token", "a token", "secret-destination-token", null],
  ["destination_token", "null", null, null],
  ["destination_token", "blank", "", "can't be blank"],
  ["destination_token", "4,096 characters", chars(4096), null],
  ["destination_token", "4,097 characters", chars(4097), "is too long (at most 4096 characters)"],
  ["destination_token", "not a string", 1, "must be a string"],
  ["start_full", "true", true, null],
  ["start_full", "false", false, null],
  ["start_full", "null", null, null],
  ["start_full", "a text", "true", "must be true or false"],
  ["start_full", "a number", 1, "must be true or false"],
  ["family", "shared", "helpdesk", null],
  ["family", "null", null, null],
  ["family", "unknown", "cooking", "must be one of helpdesk, projects, crm, content"],
  ["family", "not shared", "projects", "is not shared by the source and the destination"],
  ["family", "not a string", 3, "must be one of helpdesk, projects, crm, content"],
  ["reference", "a text", "acme-42", null],
  ["reference", "empty", "", null],
  ["reference", "255 characters", chars(255, "é"), null],
  ["reference", "256 characters", chars(256), "is too long (at most 255 characters)"],
  ["reference", "not a string", 42, "must be a string"],
];

describe.each(bothBases)("POST $base/imports", ({ base }) => {
  test.each(rules)("%s: %s", async (property, _, value, predicate) => {
    const { token } = await api.partner();
    const { status, json } = await api.ask({
      method: "POST",
      path: `${base}/imports`,
      token,
      body: { ...fine, [property]: value },
    });
    if (predicate === null) {
      expect(status).toBe(201);
      return;
    }
    expect(status).toBe(422);
    const errors = json as Record<string, string[]>;
    expect(errors[property]).toEqual([predicate].flat());
    for (const key of newImportErrorKeys) if (key !== property) expect([key, errors[key]]).toEqual([key, []]);
  });

  test("reports several mistakes at once", async () => {
    const { token } = await api.partner();
    const body = { destination_username: " ", start_full: "yes", family: "x" };
    const { status, json } = await api.ask({ method: "POST", path: `${base}/imports`, token, body });
    expect(status).toBe(422);
    expect(json).toEqual({
      source_tool: ["can't be blank"],
      destination_instance_url: [],
      destination_username: ["can't be blank"],
      destination_token: [],
      start_full: ["must be true or false"],
      family: ["must be one of helpdesk, projects, crm, content"],
      destination: [],
    });
  });

  test("ignores unknown properties, including names of Object.prototype", async () => {
    const { token } = await api.partner();
    const body =
      '{"source_tool":"request-tracker","x":1,"__proto__":{"start_full":true},"constructor":5,"toString":null}';
    expect(
      (
        await api.ask({
          method: "POST",
          path: `${base}/imports`,
          token,
          body,
          headers: { "content-type": "application/json" },
        })
      ).status,
    ).toBe(201);
  });

  test("rejects a tool that this partner may not use", async () => {
    const { token } = await api.partner({ allowedSourceTools: ["redmine"] });
    const { status, json } = await api.ask({ method: "POST", path: `${base}/imports`, token, body: fine });
    expect(status).toBe(422);
    expect(json).toMatchObject({ source_tool: ["is not supported"] });
    const body = { source_tool: "Request Tracker" };
    const byLabel = await api.ask({ method: "POST", path: `${base}/imports`, token, body });
    expect(byLabel.json).toMatchObject({ source_tool: ["is not supported"] });
  });

  test("requires a family if the tools share several, unless the partner has a default", async () => {
    const body = { source_tool: "redmine" };
    const undecided = await api.partner();
    const asked = await api.ask({ method: "POST", path: `${base}/imports`, token: undecided.token, body });
    expect(asked.status).toBe(422);
    expect(asked.json).toMatchObject({ family: ["must be given, one of projects, helpdesk"] });
    const decided = await api.partner({ defaultFamily: "helpdesk" });
    expect(
      (await api.ask({ method: "POST", path: `${base}/imports`, token: decided.token, body })).status,
    ).toBe(201);
  });
});

test("stores the request unchanged with the token sealed, and shows the chosen family", async () => {
  const { token, partner } = await api.partner({ defaultFamily: "projects" });
  const { json } = await api.ask({
    method: "POST",
    path: `${live}/imports`,
    token,
    body: {
      source_tool: "redmine",
      destination_instance_url: "https://desk.acme.example/x?y=1",
      destination_username: " Jö@Acme.example ",
      destination_token: "secret-destination-token",
      reference: "häßlich 😀",
    },
  });
  const { id, token: linkToken, redirect_url } = json as { id: string; token: string; redirect_url: string };
  expect(id).toMatch(/^imp_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(linkToken).toMatch(/^[0-9a-f]{32}$/);
  expect(redirect_url).toBe(`https://portage.example/imports/${id}/${linkToken}`);
  const shown = await api.ask({ path: `${live}/imports/${id}`, token });
  expect(shown.json).toEqual({
    id,
    token: linkToken,
    status: "Collecting credentials",
    status_code: "collecting_credentials",
    source_tool: "redmine",
    items: {},
    users: { source_tool: 0, destination_tool: 0, matched: 0 },
    redirect_url,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    sponsorship: "undecided",
    reference: "häßlich 😀",
    family: "projects",
    // no connector here can call the tool yet
    warnings: [expect.objectContaining({ code: "destination_unchecked" })],
  });
  const { rows } = await api.db.pool.query<{ row: string }>(
    "select i::text as row from imports i where partner_id = $1",
    [partner.id],
  );
  expect(rows[0]?.row).not.toContain(Buffer.from("secret-destination-token").toString("hex"));
  expect(rows[0]?.row).not.toContain(linkToken);
  expect(rows[0]?.row).not.toContain(Buffer.from(linkToken).toString("hex"));
  expect(api.logged()).not.toContain("secret-destination-token");
  expect(api.logged()).not.toContain(linkToken);
  expect(api.logged()).not.toContain(token);
});
