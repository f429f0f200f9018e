import { isConnectorError } from "@portage/connector-kit";
import { hasSignInPage } from "./authorization-server.ts";
import type { At } from "./connection.ts";
import type { Given } from "./read-settings.ts";
import type { SignInNeeds } from "./sign-in.ts";
import { findConnection } from "./store.ts";
import { findTokens } from "./store-tokens.ts";

export type Revoked =
  | { readonly kind: "revoked" }
  /** There is nothing to end, or the tool has no address for it: it ends by itself. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly code: string };

/** Takes hold of what a side is signed in with, so that it can be ended at the tool once it is erased here. */
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
  const manifest = connection && needs.registry.find(connection.tool)?.manifest;
  if (!connection || !tokens || !manifest || !hasSignInPage(manifest)) return nothing;
  // The partner's own token is the partner's to end.
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
