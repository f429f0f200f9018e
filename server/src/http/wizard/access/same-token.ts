import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "../../../platform/secret.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compares in constant time, whatever the lengths. */
export const sameText = (given: string, kept: string): boolean =>
  timingSafeEqual(digest(given), digest(kept));

export const sameToken = (given: string, kept: Secret): boolean => sameText(given, kept.reveal());
