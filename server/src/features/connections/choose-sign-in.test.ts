import type { Manifest } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { choiceConnector } from "../../../../test/support/authorization-server.ts";
import { chooseSignIn, chosenBefore } from "./choose-sign-in.ts";
import { nothingGiven, readSettings } from "./read-settings.ts";
import { settingsForm } from "./settings-form.ts";

const manifest = choiceConnector().manifest as Manifest;
const instanceUrl = "https://acme.example";
const [key, page] = [chooseSignIn(manifest, "secret"), chooseSignIn(manifest, "oauth2")];

describe("a tool with a choice", () => {
  test("asks for the key and what belongs to it only if the customer chose the key", () => {
    expect(settingsForm(key)).toMatchObject({
      properties: { token: { writeOnly: true } },
      required: ["instanceUrl", "token", "email"],
    });
    expect(Object.keys(settingsForm(page).properties)).toEqual(["instanceUrl"]);
    expect(settingsForm(page).required).toEqual(["instanceUrl"]);
  });

  test("requires the key where it was chosen, and stores no key where it was not", () => {
    expect(readSettings(key, { instanceUrl, token: " " }, nothingGiven)).toEqual({
      kind: "invalid",
      errors: { token: ["can't be blank"], email: ["can't be blank"] },
    });
    const typed = { instanceUrl, email: "jo@acme.example", token: "a-key" };
    expect(readSettings(key, typed, nothingGiven)).toMatchObject({ kind: "valid", input: typed });
    expect(readSettings(page, typed, nothingGiven)).toMatchObject({ kind: "valid", input: { instanceUrl } });
  });

  test("stays with what the customer chose", () => {
    expect(chosenBefore(manifest, { instanceUrl, token: "a-key" }).auth.kind).toBe("secret");
    expect(chosenBefore(manifest, { instanceUrl }).auth.kind).toBe("oauth2");
  });
});
