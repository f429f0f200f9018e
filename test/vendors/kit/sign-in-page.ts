import { createHash, randomUUID } from "node:crypto";
import type { VendorAnswer, VendorCall } from "./vendor-server.ts";

/** The part of a sign-in page that all vendors have: it consents at once, and a code works once. */
export const createSignInPage = () => {
  const codes = new Map<string, { readonly redirectUri: string; readonly challenge: string | null }>();
  const textOf = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    /** The browser goes back with a code. */
    consent({ query }: VendorCall): VendorAnswer {
      const redirectUri = textOf(query["redirect_uri"]) ?? "";
      const to = URL.parse(redirectUri);
      if (!to) return { status: 400 };
      const code = randomUUID();
      codes.set(code, { redirectUri, challenge: textOf(query["code_challenge"]) });
      to.searchParams.set("code", code);
      const state = textOf(query["state"]);
      if (state !== null) to.searchParams.set("state", state);
      return { status: 302, headers: { location: to.href } };
    },
    /** Whether the code was issued for this request, and was not used before. */
    redeems(given: Readonly<Record<string, string>>): boolean {
      const code = codes.get(given["code"] ?? "");
      codes.delete(given["code"] ?? "");
      const shown = createHash("sha256")
        .update(given["code_verifier"] ?? "")
        .digest("base64url");
      if (!code || code.redirectUri !== given["redirect_uri"]) return false;
      return code.challenge === null || code.challenge === shown;
    },
  };
};
