import type { Connector } from "@portage/connector-kit";
import { destinationProtocol, requestTracker, zendesk } from "@portage/connectors";
import { describe, expect, test } from "vitest";
import { createToolRegistry } from "../../server/src/features/tools/index.ts";
import { live, sandbox, useApi } from "./api.ts";
import { simulator } from "./simulator-fixture.ts";

const api = useApi({
  registry: createToolRegistry([
    destinationProtocol,
    requestTracker,
    zendesk,
  ] as readonly unknown[] as Connector[]),
});

const bases = [{ base: live }, { base: sandbox }, { base: simulator }];
const address = { destination_instance_url: "https://acme.zendesk.com" };

describe.each(bases)("POST $base/imports with a value that the destination's settings refuse", ({ base }) => {
  const post = async (destinationTool: string, settings: object) => {
    const { token } = await api.partner({ destinationTool });
    const body = { source_tool: "request-tracker", ...settings };
    const { status, json } = await api.ask({ method: "POST", path: `${base}/imports`, token, body });
    return { status, json, token };
  };

  test.each([
    [
      "an address of another tool",
      "zendesk",
      { destination_instance_url: "https://support.acme.com" },
      'The setting "Zendesk address" (destination_instance_url) must be an address that ends with .zendesk.com.',
    ],
    [
      "a username that is no email address, for a token",
      "zendesk",
      { ...address, destination_username: "jo", destination_token: "secret-destination-token" },
      'The setting "Your email address" (destination_username) must be an email address.',
    ],
    [
      "a token that is too short",
      "destination-protocol",
      { destination_instance_url: "https://desk.acme.example", destination_token: "short" },
      'The setting "Connection key" (destination_token) is too short (at least 16 characters).',
    ],
    [
      "a token that is too short, alone",
      "destination-protocol",
      { destination_token: "short" },
      'The setting "Connection key" (destination_token) is too short (at least 16 characters).',
    ],
  ])("%s: 422 with a sentence that names it", async (_, tool, settings, sentence) => {
    const { status, json } = await post(tool, settings);
    expect(status).toBe(422);
    expect(json).toMatchObject({ source_tool: [], family: [], destination: [sentence] });
  });

  test.each([
    ["a token", "destination-protocol", { destination_instance_url: "https://desk.acme.example" }],
    ["an address", "zendesk", { destination_username: "jo@acme.example", destination_token: "token" }],
    // Whoever signs in at the tool's own page needs no address of the email kind.
    ["a token for the username", "zendesk", { ...address, destination_username: "jo" }],
  ])("%s is missing: the customer gives it later", async (_, tool, settings) => {
    const { status, json, token } = await post(tool, settings);
    expect(status).toBe(201);
    const { id } = json as { id: string };
    const shown = await api.ask({ path: `${base}/imports/${id}`, token });
    expect(shown.json).toMatchObject({ status: "Collecting credentials" });
    expect(shown.json).not.toHaveProperty("warnings");
  });

  test("spaces around a value are no mistake", async () => {
    const settings = { ...address, destination_username: " jo@acme.example ", destination_token: "token" };
    expect((await post("zendesk", settings)).status).toBe(201);
  });
});
