import { isConnectorError } from "@portage/connector-kit";
import { hasSignInPage } from "./authorization-server.ts";
import { chooseSignIn } from "./choose-sign-in.ts";
import type { At } from "./connection.ts";
import type { Given } from "./read-settings.ts";
import type { SignInNeeds } from "./sign-in.ts";
import { findConnection } from "./store.ts";
import { findTokens } from "./store-tokens.ts";

export type Revoked =
  | { readonly kind: "revoked" }
  /** There is nothing to revoke, or the tool has no revocation URL: the grant expires by itself. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly code: string };

/** Loads the tokens of a side, so that the tool can revoke them after they are erased here. */
export const prepareRevocation = async (
  needs: Pick<SignInNeeds, "db" | "sealer" | "registry" | "server">,
  at: At,
  given: Given,
): Promise<() => Promise<Revoked>> => {
  const nothing = async (): Promise<Revoked> => ({ kind: "nothing" });
  const [connection, tokens] = await Promise.all([
    findConnection(needs.db, needs.sealer, at),
    findTokens(needs.db, needs.sealer, at),
  ]);
  const installed = connection && needs.registry.find(connection.tool)?.manifest;
  const manifest = installed && chooseSignIn(installed, "oauth2");
  if (!connection || !tokens || !manifest || !hasSignInPage(manifest)) return nothing;
  // Only the partner may revoke its own token.
  if (given.token?.reveal() === tokens.access.reveal()) return nothing;
  const parsed = manifest.settings.safeParse(connection.settings);
  if (!parsed.success) return nothing;
  return async () => {
    try {
      const done = await needs.server.revoke({ manifest, settings: parsed.data }, tokens);
      return { kind: done ? "revoked" : "nothing" };
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      return { kind: "failed", code: error.code };
    }
  };
};
