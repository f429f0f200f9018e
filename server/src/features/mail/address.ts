import type { Secret } from "../../platform/secret.ts";

/** The address where a customer wants to get mails. */
export interface MailAddress {
  readonly email: Secret;
  /** Permits stopping the mails, and nothing else. */
  readonly stopKey: Secret;
  readonly language: string;
  /** As it is stored; saving any address changes it. */
  readonly sealed: Buffer;
}

/** Masks an address so that its owner recognizes it: the first letter and the domain stay. */
export const maskAddress = (email: string): string => {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}…${email.slice(at)}`;
};
