import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from "node:crypto";
import type { KeyRing } from "./seal.ts";

/** A public key as RFC 8037 writes it; `kid` is its RFC 7638 thumbprint, so that it can belong to no other key. */
export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "EdDSA";
}

export interface Signer {
  /** A compact JWS (RFC 7515) over the value as JSON; the key's id is in its header. */
  sign(value: unknown): string;
  /** Of every key in the ring, the current one first: what an old key signed can be checked as long as it is there. */
  readonly publicKeys: readonly PublicKey[];
}

// What precedes the 32 bytes of an Ed25519 seed in PKCS #8.
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

const signingKey = (key: Buffer): KeyObject => {
  const seed = Buffer.from(hkdfSync("sha256", key, "", "portage report signature", 32));
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" });
};

const publicKey = (key: KeyObject): PublicKey => {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const kid = createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs with a key that is derived from the operator's current one: there is no other secret to keep. */
export const createSigner = (ring: KeyRing): Signer => {
  const keys = ring.map(({ key }) => signingKey(key));
  const publicKeys = keys.map(publicKey);
  return {
    publicKeys,
    sign: (value) => {
      const [key] = keys as [KeyObject];
      const signed = `${encoded({ alg: "EdDSA", kid: publicKeys[0]?.kid })}.${encoded(value)}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
    },
  };
};
