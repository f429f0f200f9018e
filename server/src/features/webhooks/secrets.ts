import { randomBytes } from "node:crypto";
import { isStorableText } from "@portage/contract";
import { Secret } from "../../platform/secret.ts";

export const newWebhookSecret = (): Secret => new Secret(`whsec_${randomBytes(32).toString("base64")}`);

const maxLength = 512;
const prefix = "whsec_";

export type ReadSecret =
  | { readonly kind: "secret"; readonly secret: Secret }
  | { readonly kind: "refused"; readonly why: string };

/** Reads a secret that a receiver already has. A line break at the end belongs to the file. */
export const readWebhookSecret = (text: string): ReadSecret => {
  const given = text.replace(/\r?\n$/, "");
  const refused = (why: string) => ({ kind: "refused", why }) as const;
  if (given === "") return refused("there is none");
  if (given.length > maxLength) return refused(`it is longer than ${maxLength} characters`);
  if (!isStorableText(given) || /[\r\n]/.test(given)) return refused("it must be one line of text");
  if (given.startsWith(prefix) && !/^[A-Za-z0-9+/]{4,}={0,2}$/.test(given.slice(prefix.length)))
    return refused(`what follows ${prefix} must be base64`);
  return { kind: "secret", secret: new Secret(given) };
};
