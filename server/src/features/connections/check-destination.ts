import type { ToolRegistry } from "../tools/index.ts";
import type { SignedIn } from "./connection.ts";
import type { Given } from "./read-settings.ts";
import type { ToolCheck } from "./tool-check.ts";
import { createTrySettings } from "./try-settings.ts";

export type DestinationAnswer =
  | { readonly kind: "accepted"; readonly signedIn: SignedIn }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unchecked" }
  | { readonly kind: "not_all_given" };

export type CheckDestination = (tool: string, given: Given) => Promise<DestinationAnswer>;

/** Calls the destination if the partner gave everything that the manifest requires. */
export const createCheckDestination = (
  registry: ToolRegistry,
  checks: ReadonlyMap<string, ToolCheck>,
  timeoutMs?: number,
): CheckDestination => {
  const trySettings = createTrySettings(registry, checks, timeoutMs === undefined ? {} : { timeoutMs });
  return async (tool, given) => {
    try {
      const tried = await trySettings({ tool, typed: {}, given });
      if (tried.kind === "accepted") return tried;
      if (tried.kind === "refused") return { kind: "refused", message: tried.refusal.message };
      return { kind: tried.kind === "unchecked" ? "unchecked" : "not_all_given" };
    } catch {
      // Whatever went wrong, the destination was not checked, and the import reports that.
      return { kind: "unchecked" };
    }
  };
};
