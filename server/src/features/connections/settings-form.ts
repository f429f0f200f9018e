import type { Manifest, Role } from "@portage/connector-kit";
import { z } from "zod";
import type { ChosenManifest } from "./choose-sign-in.ts";

export interface Setting {
  readonly title?: string;
  readonly description?: string;
  /** Stored sealed and never shown again. */
  readonly writeOnly?: true;
  /** Only asked for if the tool is on this side. */
  readonly role?: Role;
  /** Where to find it, step by step. */
  readonly where?: readonly string[];
  readonly notThere?: string;
  readonly [keyword: string]: unknown;
}

/** The settings of a tool as JSON Schema, from which the form is rendered. */
export interface SettingsForm {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Setting>>;
  readonly required: readonly string[];
}

export const secretSettings = ({ auth }: Manifest): readonly string[] =>
  auth.kind === "secret" ? auth.secrets : [];

export const settingsForm = (
  manifest: Manifest & Pick<ChosenManifest, "unused" | "needed">,
): SettingsForm => {
  const { unused = [], needed = [] } = manifest;
  const { properties = {}, required = [] } = z.toJSONSchema(manifest.settings, {
    io: "input",
    unrepresentable: "any",
  }) as { properties?: Record<string, Setting>; required?: string[] };
  const secret = secretSettings(manifest);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => !unused.includes(name))
        .map(([name, setting]) => [
          name,
          secret.includes(name) ? { ...setting, writeOnly: true as const } : setting,
        ]),
    ),
    required: [...required, ...needed],
  };
};

/** The display name of a setting. */
export const settingTitle = (form: SettingsForm, name: string): string =>
  form.properties[name]?.title ?? name;

/** Whether a sign-in as a source can't write: the tool separates read and write scopes, and we request read. */
export const hasReadOnlySignIn = ({ auth }: Manifest): boolean =>
  auth.kind === "oauth2" &&
  auth.scopes.read.length > 0 &&
  auth.scopes.write.some((scope) => !auth.scopes.read.includes(scope));
