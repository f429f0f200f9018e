import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { Secret } from "./secret.ts";

/** The operator's keys, the current one first; old ones stay until no value is sealed with them. */
export type KeyRing = readonly [{ id: string; key: Buffer }, ...{ id: string; key: Buffer }[]];

export class SealError extends Error {
  readonly code: "unknown_key" | "not_authentic";
  constructor(code: "unknown_key" | "not_authentic", message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const nonceBytes = 12;
const tagBytes = 16;

// A KeyObject, not bytes: decryption takes five times as long if Node has to wrap the key itself.
const encrypt = (key: KeyObject, plain: Buffer, about: string): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
  // GCM is a stream cipher: `final` adds nothing, and a large content is copied once less.
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
};

const decrypt = (key: KeyObject, sealed: Buffer, about: string): Buffer => {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(about))
    .setAuthTag(tag);
  try {
    const plain = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    decipher.final();
    return plain;
  } catch (cause) {
    throw new SealError(
      "not_authentic",
      `Can't decrypt ${about}: the key is wrong, or the value was altered.`,
      cause,
    );
  }
};

type PreparedRing = readonly { readonly id: string; readonly key: KeyObject }[];

/** Seals with the current key and prepends its id, which makes rotation possible. */
const wrap = (ring: PreparedRing, plain: Buffer, about: string): Buffer => {
  const { id, key } = ring[0] as PreparedRing[number];
  return Buffer.concat([sealedBy(id), encrypt(key, plain, about)]);
};

const unwrap = (ring: PreparedRing, sealed: Buffer, about: string): Buffer => {
  const idLength = sealed[0] ?? 0;
  const id = sealed.subarray(1, 1 + idLength).toString();
  const found = ring.find((entry) => entry.id === id);
  if (!found)
    throw new SealError("unknown_key", `The key "${id}" is not in the key ring: add it to PORTAGE_KEYS.`);
  return decrypt(found.key, sealed.subarray(1 + idLength), about);
};

/** Seals the parts of one large content with its own data key, which is unwrapped once. */
export interface ContentSealer {
  seal(part: string, plain: Buffer): Buffer;
  open(part: string, sealed: Buffer): Buffer;
}

/** Each import has its own data key; `about` (an id and a field) binds a value, so that it can't be swapped. */
export interface Sealer {
  newDataKey(importId: string): Buffer;
  seal(importId: string, dataKey: Buffer, field: string, secret: Secret): Buffer;
  open(importId: string, dataKey: Buffer, field: string, sealed: Buffer): Secret;
  /** For the content with this id, whose data key `newDataKey` made. */
  forContent(id: string, dataKey: Buffer): ContentSealer;
  /** Seals a value that belongs to no import. */
  sealAlone(about: string, secret: Secret): Buffer;
  openAlone(about: string, sealed: Buffer): Secret;
  /**
   * A keyed fingerprint: equal for equal texts; without the key the text can't be guessed from it. Once that key has left the ring
   * it is gone: what must outlast a rotation is sealed instead.
   */
  fingerprint(about: string, text: string): Buffer;
  /** Whether a key of the ring made this fingerprint of the text: processes may have different current keys for a while. */
  isFingerprintOf(about: string, text: string, fingerprint: Buffer): boolean;
  /** The id of the key that seals new values. */
  readonly currentKey: string;
  /** The ids of all keys in the ring. */
  readonly keys: readonly string[];
  /** Re-seals with the current key a data key or a standalone value that an older key of the ring sealed. */
  rewrap(about: string, sealed: Buffer): Buffer;
}

/** The context that binds a data key to its import. */
export const dataKeyContext = (importId: string): string => `data-key:${importId}`;

/** The prefix of every value that this key sealed. */
export const sealedBy = (keyId: string): Buffer =>
  Buffer.concat([Buffer.from([keyId.length]), Buffer.from(keyId)]);

export const createSealer = (keys: KeyRing): Sealer => {
  const ring = keys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
  const openDataKey = (importId: string, dataKey: Buffer) =>
    createSecretKey(unwrap(ring, dataKey, dataKeyContext(importId)));
  // A rotation does not change them: only for what lives for minutes, or has a sealed value beside it.
  const fingerprintKeys = keys.map(({ key }) =>
    Buffer.from(hkdfSync("sha256", key, "", "portage fingerprint", 32)),
  );
  const fingerprints = (about: string, text: string) =>
    fingerprintKeys.map((key) => createHmac("sha256", key).update(`${about}\0${text}`).digest());
  return {
    newDataKey: (importId) => wrap(ring, randomBytes(32), dataKeyContext(importId)),
    seal: (importId, dataKey, field, secret) =>
      encrypt(openDataKey(importId, dataKey), Buffer.from(secret.reveal()), `${importId}:${field}`),
    open: (importId, dataKey, field, sealed) =>
      new Secret(decrypt(openDataKey(importId, dataKey), sealed, `${importId}:${field}`).toString()),
    forContent: (id, dataKey) => {
      const key = openDataKey(id, dataKey);
      return {
        seal: (part, plain) => encrypt(key, plain, `${id}:${part}`),
        open: (part, sealed) => decrypt(key, sealed, `${id}:${part}`),
      };
    },
    sealAlone: (about, secret) => wrap(ring, Buffer.from(secret.reveal()), about),
    openAlone: (about, sealed) => new Secret(unwrap(ring, sealed, about).toString()),
    fingerprint: (about, text) => fingerprints(about, text)[0] as Buffer,
    isFingerprintOf: (about, text, given) =>
      fingerprints(about, text).some((each) => each.length === given.length && timingSafeEqual(each, given)),
    currentKey: keys[0].id,
    keys: keys.map(({ id }) => id),
    rewrap: (about, sealed) => wrap(ring, unwrap(ring, sealed, about), about),
  };
};
