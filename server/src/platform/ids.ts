import { randomBytes, randomInt } from "node:crypto";
import { base32Digits } from "@portage/contract";

export type IdPrefix = "imp" | "prt" | "tok" | "evt" | "pay";

/** 48 bits of time, then 80 random bits, in base32: unique without a server, and sorted by time. */
export const newId = (prefix: IdPrefix, now: number = Date.now()): string => {
  let value = (BigInt(now) << 80n) | BigInt(`0x${randomBytes(10).toString("hex")}`);
  let digits = "";
  for (let i = 0; i < 26; i++) {
    digits = base32Digits[Number(value & 31n)] + digits;
    value >>= 5n;
  }
  return `${prefix}_${digits}`;
};

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random base62 characters from the system's secure source, each equally likely. */
export const randomBase62 = (length: number): string =>
  Array.from({ length }, () => base62[randomInt(base62.length)]).join("");
