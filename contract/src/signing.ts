import { createHmac } from "node:crypto";

/** A message to sign: a webhook's body, the body of a call to a destination, or the statement of an upload. */
export interface Signing {
  /** The newest last. During a rotation both sign; the classic header stays with the first. */
  readonly secrets: readonly [string, ...string[]];
  /** Unique per attempt, or the event's id. */
  readonly id: string;
  readonly timestampSeconds: number;
  /** The exact text that is sent. */
  readonly content: string;
}

const secretPrefix = "whsec_";

/** The key of the Standard Webhooks signature: the part after the prefix; a secret without a prefix is used as is. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), "base64")
    : Buffer.from(secret, "utf8");

const hmac = (key: Buffer, content: string) => createHmac("sha256", key).update(content, "utf8");

/**
 * Both signatures of a message: the classic one over the text alone, with the whole secret as key, and the one of
 * Standard Webhooks, which also covers id and time. A receiver checks the one that it supports.
 */
export const signatureHeaders = ({ secrets, id, timestampSeconds, content }: Signing) => ({
  "x-authorization-content-sha256": hmac(Buffer.from(secrets[0], "utf8"), content).digest("hex"),
  "webhook-id": id,
  "webhook-timestamp": String(timestampSeconds),
  "webhook-signature": secrets
    .map(
      (secret) => `v1,${hmac(standardKey(secret), `${id}.${timestampSeconds}.${content}`).digest("base64")}`,
    )
    .join(" "),
});
