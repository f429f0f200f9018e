import { randomBytes, randomInt } from "node:crypto";
import { base32Digits } from "@portage/contract";

export type IdPrefix =
  | "imp"
  | "prt"
  | "tok"
  | "evt"
  | "run"
  | "lnk"
  | "eml"
  | "book"
  | "quo"
  | "chk"
  | "ref"
  | "sim"
  | "upl"
  | "stf"
  | "stk"
  | "sts";

const digitCount = 26;
const randomBits = 80n;

const toId = (prefix: IdPrefix, number: bigint): string => {
  let value = number;
  let digits = "";
  for (let i = 0; i < digitCount; i++) {
    digits = base32Digits[Number(value & 31n)] + digits;
    value >>= 5n;
  }
  return `${prefix}_${digits}`;
};

/** 48 bits of time, then 80 random bits, in base32: unique without coordination, and sorted by time. */
export const newId = (prefix: IdPrefix, now: number = Date.now()): string =>
  toId(prefix, (BigInt(now) << randomBits) | BigInt(`0x${randomBytes(10).toString("hex")}`));

/** The smallest id of this moment: ids of this moment or later sort at or after it. */
export const firstIdAt = (prefix: IdPrefix, at: number): string => toId(prefix, BigInt(at) << randomBits);

/** When an id was created, in milliseconds since 1970. */
export const timeOfId = (id: string): number => {
  const digits = id.slice(-digitCount);
  let value = 0n;
  for (const digit of digits) value = (value << 5n) | BigInt(base32Digits.indexOf(digit));
  return Number(value >> randomBits);
};

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random base62 characters from the system's secure source, each equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => base62[randomInt(base62.length)]).join("");
