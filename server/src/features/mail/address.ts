import type { Secret } from "../../platform/secret.ts";

/** Where a customer wants to be written to. */
export interface MailAddress {
  readonly email: Secret;
  /** Whoever knows it may stop the mails, and nothing else. */
  readonly stopKey: Secret;
  readonly language: string;
}

/** Enough to be known again by whoever typed it: the first letter, and whose mail it is. */
export const maskAddress = (email: string): string => {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}…${email.slice(at)}`;
};
