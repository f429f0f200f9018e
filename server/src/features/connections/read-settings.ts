import type { Manifest } from "@portage/connector-kit";
import type { ChosenManifest } from "./choose-sign-in.ts";
import { errorsByProperty, type ValidationErrors } from "@portage/contract";
import type { Secret } from "../../platform/secret.ts";
import { plainWords } from "./plain-words.ts";
import { settingsForm } from "./settings-form.ts";

/** What a partner supplied when it created the import. */
export interface Given {
  readonly instanceUrl: string | null;
  readonly username: string | null;
  readonly token: Secret | null;
}

export const nothingGiven: Given = { instanceUrl: null, username: null, token: null };

/** A customer who signs in needs no token of the partner. */
export const withoutToken = (given: Given): Given => ({ ...given, token: null });

export type ReadSettings =
  | {
      readonly kind: "valid";
      /** To store. */
      readonly input: Readonly<Record<string, unknown>>;
      /** To use, with the manifest's defaults. */
      readonly settings: unknown;
      /** For a tool with a sign-in page: the token that the partner supplied instead of a sign-in. */
      readonly accessToken: Secret | null;
    }
  | { readonly kind: "invalid"; readonly errors: ValidationErrors };

const invalid = (errors: ValidationErrors): ReadSettings => ({ kind: "invalid", errors });

/** The partner's supplied values for which the tool has a setting, trimmed. */
export const givenSettings = (manifest: Manifest, given: Given): Readonly<Record<string, string>> => {
  const all = { instanceUrl: given.instanceUrl, username: given.username, token: given.token?.reveal() };
  const { properties } = settingsForm(manifest);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value != null && Object.hasOwn(properties, name) ? [[name, value.trim()]] : [],
    ),
  );
};

/** The settings that decide which host is called. */
export const decidingHosts = (manifest: Manifest, settings: unknown): ReadonlySet<string> => {
  const read = new Set<string>();
  const note = (key: string | symbol) => void read.add(String(key));
  manifest.hosts(
    new Proxy(settings as object, {
      get: (target, key) => {
        note(key);
        return Reflect.get(target, key) as unknown;
      },
      has: (target, key) => {
        note(key);
        return Reflect.has(target, key);
      },
      ownKeys: (target) => {
        Reflect.ownKeys(target).forEach(note);
        return Reflect.ownKeys(target);
      },
    }),
  );
  return read;
};

/** The typed values of known settings, trimmed. */
const readTyped = (manifest: Manifest, typed: object): Record<string, unknown> => {
  const { properties } = settingsForm(manifest);
  return Object.fromEntries(
    Object.entries(typed)
      .filter(([name]) => Object.hasOwn(properties, name))
      .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );
};

/** Merges what the partner supplied, the customer typed and the tool reported, and validates it against the manifest. */
export const readSettings = (
  manifest: ChosenManifest,
  typedAsIs: object,
  given: Given,
  learned: Readonly<Record<string, unknown>> = {},
): ReadSettings => {
  const typed = readTyped(manifest, typedAsIs);
  const supplied = givenSettings(manifest, given);
  if ("instanceUrl" in supplied && "instanceUrl" in typed)
    return invalid({ instanceUrl: ["is set already and can't be changed here"] });
  const input: Record<string, unknown> = { ...supplied, ...typed, ...learned };
  const parsed = manifest.settings.safeParse(input, { error: plainWords });
  if (!parsed.success) return invalid(errorsByProperty(parsed.error));
  const missing = (manifest.needed ?? []).filter((name) => (input[name] ?? "") === "");
  if (missing.length > 0)
    return invalid(Object.fromEntries(missing.map((name) => [name, ["can't be blank"]])));
  const accessToken = manifest.auth.kind === "oauth2" ? given.token : null;
  if (("token" in supplied && !("token" in typed)) || accessToken) {
    // Otherwise a customer could type an address of their own and receive a key that was never shown to them.
    const deciding = decidingHosts(manifest, parsed.data);
    if (Object.keys(typed).some((name) => deciding.has(name)))
      return invalid({ token: ["must be typed together with the address"] });
  }
  return { kind: "valid", input, settings: parsed.data, accessToken };
};
