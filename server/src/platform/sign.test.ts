import { createHash, createPublicKey, randomBytes, verify } from "node:crypto";
import { expect, test } from "vitest";
import { createSigner, type PublicKey } from "./sign.ts";

const key = (id: string) => ({ id, key: randomBytes(32) });

const genuine = (jws: string, { x, kty, crv }: PublicKey) => {
  const [header, payload, signature = ""] = jws.split(".");
  return verify(
    null,
    Buffer.from(`${header}.${payload}`),
    createPublicKey({ key: { kty, crv, x }, format: "jwk" }),
    Buffer.from(signature, "base64url"),
  );
};

test("every process derives the same signing key from the operator's key", () => {
  const ring = [key("k1")] as const;
  const one = createSigner([...ring]);
  const other = createSigner([...ring]);
  expect(other.publicKeys).toEqual(one.publicKeys);
  expect(other.sign({ a: 1 })).toBe(one.sign({ a: 1 }));
  expect(createSigner([key("k1")]).publicKeys[0]?.kid).not.toBe(one.publicKeys[0]?.kid);
});

test("a signature is valid for its content and key only; the public key does not reveal the operator's key", () => {
  const k1 = key("k1");
  const signer = createSigner([k1]);
  const [mine] = signer.publicKeys;
  if (!mine) throw new Error("no key");
  const jws = signer.sign({ source: 10 });
  expect(genuine(jws, mine)).toBe(true);
  const [header, , signature] = jws.split(".");
  const other = Buffer.from(JSON.stringify({ source: 11 })).toString("base64url");
  expect(genuine(`${header}.${other}.${signature}`, mine)).toBe(false);
  const stranger = createSigner([key("k1")]).publicKeys[0] as PublicKey;
  expect(genuine(jws, stranger)).toBe(false);
  expect(JSON.stringify(signer.publicKeys)).not.toContain(k1.key.toString("base64url"));
});

test("after a rotation the new key signs, and the old public key is served as long as it is in the ring", () => {
  const old = key("k1");
  const fresh = key("k2");
  const before = createSigner([old]);
  const signed = before.sign({ a: 1 });
  const during = createSigner([fresh, old]);
  expect(during.publicKeys.map(({ kid }) => kid)).toContain(before.publicKeys[0]?.kid);
  const kid = (jws: string) =>
    (JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString()) as { kid: string }).kid;
  expect(kid(during.sign({ a: 1 }))).toBe(during.publicKeys[0]?.kid);
  expect(kid(during.sign({ a: 1 }))).not.toBe(kid(signed));
  const found = during.publicKeys.find((each) => each.kid === kid(signed));
  expect(found && genuine(signed, found)).toBe(true);
});

test("a key's id is its thumbprint (RFC 7638)", () => {
  for (const { kid, x } of createSigner([key("a"), key("b")]).publicKeys)
    expect(kid).toBe(
      createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url"),
    );
});
