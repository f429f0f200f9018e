import { longestSessionMs } from "../../../features/links/index.ts";
import type { Secret } from "../../../platform/secret.ts";

export interface SessionCookies {
  /** Reads the session key of an import from the Cookie header. */
  read(header: string | undefined, importId: string): string | undefined;
  /** `framed`: a partner's page embeds the wizard, where browsers keep only partitioned SameSite=None cookies. */
  write(importId: string, key: Secret, framed: boolean): string;
}

/** One cookie per import, so that two open moves in one browser never share a session. */
export const sessionCookies = (publicUrl: string): SessionCookies => {
  const secure = publicUrl.startsWith("https:");
  // With this prefix browsers accept the cookie from this host over TLS only.
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
