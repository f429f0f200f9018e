import type { Secret } from "../../platform/secret.ts";

/** The URL where the recipient of a mail can stop them; it permits nothing else. */
export const stopUrl = (publicUrl: string, importId: string, stopKey: Secret): string =>
  `${publicUrl}/mail/stop/${importId}/${stopKey.reveal()}`;
