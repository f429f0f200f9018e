import { longestSessionMs } from "../../../features/links/index.ts";
import type { Secret } from "../../../platform/secret.ts";

export interface SessionCookies {
  /** What a request's Cookie header holds for an import. */
  read(header: string | undefined, importId: string): string | undefined;
  /** `framed`: the page stands within a partner's own, where a browser keeps only cookies that say so. */
  write(importId: string, key: Secret, framed: boolean): string;
}

/** One cookie per import: whoever has two moves open is never taken from one into the other. */
export const sessionCookies = (publicUrl: string): SessionCookies => {
  const secure = publicUrl.startsWith("https:");
  // The prefix makes browsers refuse a cookie of this name from anybody but this very host over TLS.
  const nameOf = (importId: string) => `${secure ? "__Host-" : ""}portage_${importId}`;
  return {
    read: (header, importId) => {
      const start = `${nameOf(importId)}=`;
      return (header ?? "")
        .split(";")
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(start))
        ?.slice(start.length);
    },
    write: (importId, key, framed) =>
      [
        `${nameOf(importId)}=${key.reveal()}`,
        `Path=/; HttpOnly; Max-Age=${Math.floor(longestSessionMs / 1_000)}`,
        ...(secure ? ["Secure"] : []),
        framed && secure ? "SameSite=None; Partitioned" : "SameSite=Lax",
      ].join("; "),
  };
};
