import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Secret } from "../../platform/secret.ts";

/** 32 MiB and about a tenth of a second each; stored with the hash, so that they can grow. */
const usualCost = { N: 2 ** 15, r: 8, p: 3 };
const hashBytes = 32;

/** Length alone: rules on characters make passwords shorter and no harder to guess. */
export const passwordSchema = z
  .string()
  .min(12, "must have at least 12 characters")
  .max(256, "must have at most 256 characters");

const derive = (password: Secret, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // The same characters may be typed in more than one form.
    scrypt(
      password.reveal().normalize("NFKC"),
      salt,
      hashBytes,
      { ...options, maxmem: 256 * 1024 * 1024 },
      (error, key) => {
        if (error) reject(error);
        else resolve(key);
      },
    );
  });

export const hashPassword = async (password: Secret, cost = usualCost): Promise<string> => {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64"), key.toString("base64")].join("$");
};

/** A hash that no password has: for an account that has none, checking takes as long as for one that has. */
const noHash = ["scrypt", usualCost.N, usualCost.r, usualCost.p, "AAAAAAAAAAAAAAAAAAAAAA==", ""].join("$");

export const isPassword = async (password: Secret, hash: string | undefined): Promise<boolean> => {
  const [, N, r, p, salt = "", key = ""] = (hash ?? noHash).split("$");
  const derived = await derive(password, Buffer.from(salt, "base64"), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  const kept = Buffer.from(key, "base64");
  return kept.length === derived.length && timingSafeEqual(kept, derived);
};
