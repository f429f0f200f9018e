import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createCheckDestination, type ToolCheck } from "../../server/src/features/connections/index.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import { testRegistry } from "../support/fixtures.ts";
import { created, live, sandbox, useApi } from "./api.ts";

const calls: unknown[] = [];
const redmineCheck: ToolCheck = async (settings, signal) => {
  calls.push(settings);
  const { token } = settings as { token: string };
  if (token === "right")
    return {
      kind: "accepted",
      account: { signInName: "Jo.Smith", accountName: "Acme", accountId: "redmine.acme.example" },
    };
  if (token === "wrong")
    return {
      kind: "refused",
      refusal: {
        code: "wrong_key",
        message: "Redmine does not accept this API key.",
        fix: "Copy it again.",
        setting: "token",
        detail: "unauthorized (401)",
      },
    };
  await sleep(60_000, undefined, { signal, ref: false });
  throw new Error("unreachable");
};

const api = useApi({ toolChecks: new Map([["redmine", redmineCheck]]) });
const settings = { destination_instance_url: "https://redmine.acme.example" };

describe("with all settings of the destination, the API calls the tool before it answers", () => {
  test("accepted: 201, and the sign-in name finds the import if the request had no username", async () => {
    const { token } = await api.partner();
    const { id } = await created(api, token, { ...settings, destination_token: "right" });
    const { json } = await api.ask({ path: `${live}/imports?destination_username=jo.smith`, token });
    expect(json).toMatchObject([{ id, status: "Collecting credentials" }]);
    const { json: shown } = await api.ask({ path: `${live}/imports/${id}`, token });
    expect(shown).not.toHaveProperty("warnings");
  });

  test("refused: 422 with the tool's reason under destination", async () => {
    const { token } = await api.partner();
    const body = { source_tool: "request-tracker", ...settings, destination_token: "wrong" };
    const { status, json } = await api.ask({ method: "POST", path: `${live}/imports`, token, body });
    expect(status).toBe(422);
    expect(json).toMatchObject({ source_tool: [], destination: ["Redmine does not accept this API key."] });
  });

  test("no answer in time: 201 with the warning destination_unchecked", async () => {
    const check = createCheckDestination(testRegistry(), new Map([["redmine", redmineCheck]]), 50);
    const given = { instanceUrl: "https://redmine.acme.example", username: null, token: new Secret("slow") };
    expect(await check("redmine", given)).toEqual({ kind: "unchecked" });
  });

  test("a tool without a callable connector: 201 with the warning", async () => {
    const { token } = await api.partner({ destinationTool: "request-tracker" });
    const { id } = await created(api, token, { ...settings, destination_token: "right" });
    const { json } = await api.ask({ path: `${live}/imports/${id}`, token });
    expect(json).toMatchObject({ warnings: [{ code: "destination_unchecked", stream: null, count: 1 }] });
  });

  test("incomplete settings: no call, no warning", async () => {
    const before = calls.length;
    const { token } = await api.partner();
    const { id } = await created(api, token, { destination_token: "wrong" });
    const { json } = await api.ask({ path: `${live}/imports/${id}`, token });
    expect(json).not.toHaveProperty("warnings");
    expect(calls).toHaveLength(before);
  });
});

test("the sandbox calls no tool; it refuses its token “invalid”", async () => {
  const before = calls.length;
  const { token } = await api.partner();
  const post = (destination_token: string) =>
    api.ask({
      method: "POST",
      path: `${sandbox}/imports`,
      token,
      body: { source_tool: "request-tracker", ...settings, destination_token },
    });
  expect((await post("wrong")).status).toBe(201);
  const refused = await post("invalid");
  expect(refused.status).toBe(422);
  expect(refused.json).toMatchObject({ destination: [expect.stringMatching(/^The .*\.$/)] });
  expect(calls).toHaveLength(before);
});
