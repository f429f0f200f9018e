import { createHash } from "node:crypto";
import { splitOrigin } from "./provenance.ts";

const length = 12;
const letters = 26;
const sealed = /\(seal:([a-z]{12})\)\s*\(portage:[a-z0-9:_-]{1,64}\)\s*$/;

/**
 * A checksum of the written values in the last line of the copy. While the copy matches it, no user has edited the
 * copy, whether or not the answer to the write arrived. Only letters: Redmine links numbers.
 */
export const sealOf = (key: string, text: string, fields: unknown): string => {
  const whole = JSON.stringify([key, text.replaceAll("\r\n", "\n"), fields]);
  const sum = createHash("sha256").update(whole).digest().subarray(0, length);
  return Array.from(sum, (byte) => String.fromCharCode("a".charCodeAt(0) + (byte % letters))).join("");
};

/** Whether a text and its fields still match the seal. */
export const isSealed = (text: string | null | undefined, fields: unknown): boolean => {
  const own = splitOrigin(text);
  const seal = sealed.exec(text ?? "")?.[1];
  return own !== null && seal !== undefined && seal === sealOf(own.key, own.text, fields);
};
