import type { Secret } from "../../platform/secret.ts";

/** Where whoever got a mail can stop them; it opens nothing else. */
export const stopUrl = (publicUrl: string, importId: string, stopKey: Secret): string =>
  `${publicUrl}/mail/stop/${importId}/${stopKey.reveal()}`;
