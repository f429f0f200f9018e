import { createHmac, timingSafeEqual } from "node:crypto";

export interface Signed {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The signed bytes: the raw body, or the statement of an upload. */
  readonly content: Buffer;
  readonly now: number;
}

export type Verified = { readonly kind: "valid"; readonly id: string } | { readonly kind: "invalid" };

const windowSeconds = 300;
const invalid: Verified = { kind: "invalid" };

/**
 * Verifies a Standard Webhooks signature without a library, to show how little code it needs. The header can contain
 * several signatures (of an old and a new secret); one match is enough.
 */
export const verifySignature = ({ secret, headers, content, now }: Signed): Verified => {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string")
    return invalid;
  if (id.length === 0 || id.length > 255 || !/^\d{1,12}$/.test(timestamp)) return invalid;
  if (Math.abs(now / 1000 - Number(timestamp)) > windowSeconds) return invalid;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(content).digest();
  const fits = signatures.split(" ").some((each) => {
    const [version, encoded = ""] = each.split(",", 2);
    const given = Buffer.from(encoded, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return fits ? { kind: "valid", id } : invalid;
};
