import type { Manifest } from "@portage/connector-kit";
import { errorsByProperty } from "@portage/contract";
import { chooseSignIn } from "./choose-sign-in.ts";
import { plainWords } from "./plain-words.ts";
import { type Given, givenSettings } from "./read-settings.ts";
import { settingsForm, settingTitle } from "./settings-form.ts";

const wireNames: Readonly<Record<string, string>> = {
  instanceUrl: "destination_instance_url",
  username: "destination_username",
  token: "destination_token",
} satisfies Record<keyof Given, string>;

/** A sentence about each value of the partner that the tool's manifest refuses. What is missing, the customer gives later. */
export const refusedSettings = (manifest: Manifest, given: Given): readonly string[] => {
  // Without a token the customer may sign in at the tool's page, which needs nothing that belongs to a token.
  const chosen = chooseSignIn(manifest, given.token ? "secret" : "oauth2");
  const supplied = givenSettings(chosen, given);
  const parsed = chosen.settings.safeParse(supplied, { error: plainWords });
  const errors = parsed.success ? {} : errorsByProperty(parsed.error);
  const form = settingsForm(chosen);
  return Object.keys(supplied).flatMap((name) =>
    (errors[name] ?? []).map(
      (predicate) => `The setting "${settingTitle(form, name)}" (${wireNames[name]}) ${predicate}.`,
    ),
  );
};
