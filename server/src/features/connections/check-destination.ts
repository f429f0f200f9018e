import type { Secret } from "../../platform/secret.ts";
import type { ToolRegistry } from "../tools/index.ts";

/** What a tool answered when it was called with the given settings. */
export type ToolAnswer =
  | { readonly kind: "accepted"; readonly signInName: string | null }
  | { readonly kind: "refused"; readonly message: string };

/** Calls a tool. Throws when it can't be reached. */
export type ToolCheck = (settings: unknown, signal: AbortSignal) => Promise<ToolAnswer>;

export interface GivenDestination {
  readonly instanceUrl: string | null;
  readonly username: string | null;
  readonly token: Secret | null;
}

export type DestinationAnswer =
  | ToolAnswer
  | { readonly kind: "unchecked" }
  | { readonly kind: "not_all_given" };

export type CheckDestination = (tool: string, given: GivenDestination) => Promise<DestinationAnswer>;

const longestMs = 8_000;

/** Calls the destination when everything that its manifest requires was given. */
export const createCheckDestination =
  (
    registry: ToolRegistry,
    checks: ReadonlyMap<string, ToolCheck>,
    timeoutMs: number = longestMs,
  ): CheckDestination =>
  async (tool, given) => {
    const manifest = registry.find(tool)?.manifest;
    const settings = manifest?.settings.safeParse({
      ...(given.instanceUrl !== null && { instanceUrl: given.instanceUrl }),
      ...(given.username !== null && { username: given.username }),
      ...(given.token !== null && { token: given.token.reveal() }),
    });
    if (!settings?.success) return { kind: "not_all_given" };
    const check = checks.get(tool);
    if (!check) return { kind: "unchecked" };
    const signal = AbortSignal.timeout(timeoutMs);
    const timedOut = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    try {
      // Raced: a check that overlooks its signal must not keep the partner waiting.
      return await Promise.race([check(settings.data, signal), timedOut]);
    } catch {
      // Whatever went wrong, the truth is the same: it was not checked, and the import says so.
      return { kind: "unchecked" };
    }
  };
