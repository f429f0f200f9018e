import { randomUUID } from "node:crypto";
import { createSignInPage } from "../kit/sign-in-page.ts";
import type { VendorAnswer, VendorCall } from "../kit/vendor-server.ts";

/** Intercom's authorization server: its tokens do not end, and there are none to refresh them. */
export const createIntercomOAuth = () => {
  const page = createSignInPage();
  const accessTokens = new Set<string>();
  return {
    accepts: (token: string) => accessTokens.has(token),
    /** As if the workspace had removed the app. */
    uninstall: () => accessTokens.clear(),
    operations: {
      "GET /oauth": page.consent,
      "POST /auth/eagle/token": ({ body }: VendorCall): VendorAnswer => {
        const given = (body.value ?? {}) as Readonly<Record<string, string>>;
        if (!page.redeems(given)) return { status: 400, body: { error: "invalid_grant" } };
        const token = randomUUID();
        accessTokens.add(token);
        return { status: 200, body: { token_type: "Bearer", token, access_token: token } };
      },
    },
  };
};
