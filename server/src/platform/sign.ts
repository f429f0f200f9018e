import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from "node:crypto";
import type { KeyRing } from "./seal.ts";

/** A public key as a JWK (RFC 8037); `kid` is its RFC 7638 thumbprint, which no other key can have. */
export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "EdDSA";
}

export interface Signer {
  /** Returns a compact JWS (RFC 7515) over the value as JSON, with the key's id in its header. */
  sign(value: unknown): string;
  /** The public keys of the ring, the current one first: a signature stays verifiable while its key is in the ring. */
  readonly publicKeys: readonly PublicKey[];
}

// The PKCS #8 prefix of a 32-byte Ed25519 seed.
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

/** Signs with a key derived from the operator's current key, so that there is no other secret to manage. */
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
