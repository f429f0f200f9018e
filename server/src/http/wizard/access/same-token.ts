import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "../../../platform/secret.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compares in constant time. */
export const sameToken = (given: string, kept: Secret): boolean =>
  timingSafeEqual(digest(given), digest(kept.reveal()));
