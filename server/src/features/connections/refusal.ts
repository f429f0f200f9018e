import type { ConnectorError, Manifest } from "@portage/connector-kit";
import { secretSettings, settingsForm, settingTitle } from "./settings-form.ts";

/** Why a tool could not be connected, and how to fix it, for the customer who typed the settings. */
export interface Refusal {
  readonly code: "wrong_key" | "no_permission" | "wrong_address" | "unreachable" | "not_now";
  readonly message: string;
  readonly fix: string;
  /** The setting to correct, if known. */
  readonly setting: string | null;
  /** For support: the connector's error code and the tool's status. */
  readonly detail: string;
}

/** The predicate of each code about its setting. */
export const predicates: Readonly<Record<Refusal["code"], string>> = {
  wrong_key: "was not accepted",
  no_permission: "does not have the rights that are needed",
  wrong_address: "is not the right address",
  unreachable: "could not be reached",
  not_now: "could not be checked",
};

const addressFixes: Readonly<Record<string, string>> = {
  insecure: "Type the address with https:// in front.",
  refused_address:
    "Only your own network can reach this address. Type the one that works from anywhere on the internet.",
  tls_failed:
    "Ask whoever runs it to renew its certificate, or type the address that the certificate is for.",
  unresolvable: "Check it for typing mistakes: copy it from your browser.",
};

const addressCodes = new Set([
  ...Object.keys(addressFixes),
  "refused_url",
  "too_many_redirects",
  "undeclared_host",
  "unexpected_answer",
  "unexpected_status",
  "not_found",
]);

const addressMessage = (label: string, host: string | undefined, there: string, error: ConnectorError) => {
  if (error.code === "unresolvable") return `We could not find ${host ?? label}.`;
  return error.code in addressFixes ? error.message : `There is no ${label} that we can talk to${there}.`;
};

const explain = (manifest: Manifest, settings: unknown, error: ConnectorError): Omit<Refusal, "detail"> => {
  const { label } = manifest;
  const form = settingsForm(manifest);
  const help = (name: string | null) => (name === null ? undefined : form.properties[name]?.description);
  const address = "instanceUrl" in form.properties ? "instanceUrl" : null;
  const host = URL.parse(String((settings as { instanceUrl?: unknown }).instanceUrl))?.host;
  const there = host === undefined ? "" : ` at ${host}`;
  const key = secretSettings(manifest)[0] ?? null;

  // The connector knows best: it has looked at the tool's answer.
  if (error.setting !== undefined)
    return {
      code: error.setting === address ? "wrong_address" : "wrong_key",
      message: error.message,
      fix: help(error.setting) ?? "Correct it and try again.",
      setting: error.setting,
    };
  if (error.status === 403)
    return {
      code: "no_permission",
      message: `${label} does not let this account do what is needed.`,
      fix: "Use an administrator's account, or send this step to an administrator.",
      setting: key,
    };
  if (error.recovery === "reauthorize")
    return {
      code: "wrong_key",
      message: `${label} did not accept the ${key === null ? "sign-in" : settingTitle(form, key)}.`,
      fix: ["Copy all of it again and paste it.", help(key)].filter(Boolean).join(" "),
      setting: key,
    };
  if (addressCodes.has(error.code))
    return {
      code: "wrong_address",
      message: addressMessage(label, host, there, error),
      fix:
        addressFixes[error.code] ?? ["Copy it from your browser.", help(address)].filter(Boolean).join(" "),
      setting: address,
    };
  if (error.recovery === "retry" && error.status === undefined)
    return {
      code: "unreachable",
      message: `We could not reach ${label}${there}.`,
      fix: "Check the address for typing mistakes, and that it opens outside your own network. If it does, try again in a few minutes.",
      setting: address,
    };
  return {
    code: "not_now",
    message: `${label} is not working at the moment${there}.`,
    fix: "Nothing is wrong with what you typed. Try again in a few minutes.",
    setting: null,
  };
};

/** Explains a connector's error and how to fix it. */
export const explainRefusal = (manifest: Manifest, settings: unknown, error: ConnectorError): Refusal => ({
  ...explain(manifest, settings, error),
  detail: error.status === undefined ? error.code : `${error.code} (${error.status})`,
});
