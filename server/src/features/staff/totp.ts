import { createHmac, randomBytes } from "node:crypto";

/** RFC 6238 with the values that every authenticator app takes: SHA-1, 30 seconds, six digits. */
const stepMs = 30_000;
const digits = 6;
/** A clock may differ by one step. */
const drift = 1;
const secretBytes = 20;

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const toBase32 = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("")
    .match(/.{1,5}/g)
    ?.map((bits) => base32[Number.parseInt(bits.padEnd(5, "0"), 2)])
    .join("") ?? "";

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((digit) => base32.indexOf(digit).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** A new secret, as people type it into an app. */
export const newTotpSecret = (): string => toBase32(randomBytes(secretBytes));

/** What an app scans. */
export const totpUri = (secret: string, account: string): string =>
  `otpauth://totp/${encodeURIComponent(`Portage:${account}`)}?secret=${secret}&issuer=Portage&digits=${digits}&period=${stepMs / 1000}`;

export const totpStep = (now: number): number => Math.floor(now / stepMs);

export const totpCode = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, "0");
};

/** The time step that a code is of; undefined: it is wrong. The caller accepts each step once. */
export const findTotpStep = (secret: string, code: string, now: number): number | undefined => {
  const current = totpStep(now);
  for (let step = current - drift; step <= current + drift; step += 1)
    if (totpCode(secret, step) === code) return step;
  return undefined;
};
