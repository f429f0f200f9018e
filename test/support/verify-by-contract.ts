import { createHmac, timingSafeEqual } from "node:crypto";

/** Written from the contract's text alone; shares no code with the signer. */
interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const same = (a: string, b: string) => {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Lower-case hex HMAC-SHA256 of the raw body; the key: the UTF-8 bytes of the whole secret. */
export const isClassic = (secret: string, { headers, body }: Message): boolean =>
  same(
    headers["x-authorization-content-sha256"] ?? "",
    createHmac("sha256", Buffer.from(secret, "utf8")).update(Buffer.from(body, "utf8")).digest("hex"),
  );

/** Standard Webhooks; the key: the decoded bytes, or for an imported secret its UTF-8 bytes. */
export const isStandard = (secret: string, { headers, body }: Message): boolean => {
  const key = secret.startsWith("whsec_")
    ? Buffer.from(secret.slice(6), "base64")
    : Buffer.from(secret, "utf8");
  const signed = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".");
  const expected = `v1,${createHmac("sha256", key).update(signed, "utf8").digest("base64")}`;
  return (headers["webhook-signature"] ?? "").split(" ").some((each) => same(each, expected));
};
