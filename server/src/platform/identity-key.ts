import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";

const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

const base58 = (bytes: Buffer): string => {
  let value = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  while (value > 0n) {
    text = digits[Number(value % 58n)] + text;
    value /= 58n;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros) + text;
};

/** The public key of Restate's identity key, in the format of its SDK. */
export const publicIdentityKey = (privatePem: string): string => {
  const privateKey = createPrivateKey(privatePem);
  if (privateKey.asymmetricKeyType !== "ed25519") throw new Error("This is not an Ed25519 key.");
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return `publickeyv1_${base58(Buffer.from(x, "base64url"))}`;
};

/** A new identity key for Restate's setting request-identity-private-key-pem-file. */
export const newIdentityKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
