import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRestateProcess } from "../../../test/support/restate-process.ts";
import { newIdentityKey, publicIdentityKey } from "./identity-key.ts";

test("derives the same public key as Restate", async () => {
  const restate = await createRestateProcess();
  try {
    await restate.start();
    expect(publicIdentityKey(restate.privatePem)).toBe(restate.identityKey);
  } finally {
    await restate.remove();
  }
});

/** The fixed prefix of a private Ed25519 key in PKCS #8. */
const prefix = Buffer.from("302e020100300506032b657004220420", "hex");

test("every key has its own public key of 32 bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
      const key = createPrivateKey({
        key: Buffer.concat([prefix, seed]),
        format: "der",
        type: "pkcs8",
      });
      const text = publicIdentityKey(key.export({ type: "pkcs8", format: "pem" }).toString());
      return /^publickeyv1_[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text);
    }),
  );
  expect(publicIdentityKey(newIdentityKey())).not.toBe(publicIdentityKey(newIdentityKey()));
});

test("rejects another kind of key", () => {
  const { privateKey } = generateKeyPairSync("x25519");
  expect(() => publicIdentityKey(privateKey.export({ type: "pkcs8", format: "pem" }).toString())).toThrow(
    "not an Ed25519 key",
  );
});
