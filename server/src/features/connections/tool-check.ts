import { type Account, type Connector, isConnectorError } from "@portage/connector-kit";
import {
  createAuthorizer,
  createHttp,
  createLocalLimiter,
  type Transport,
} from "@portage/connector-kit/http";
import type { Secret } from "../../platform/secret.ts";
import { namedFor, type ToolRegistry } from "../tools/index.ts";
import { explainRefusal, type Refusal } from "./refusal.ts";

/** What a tool answered when it was called with the given settings. */
export type ToolAnswer =
  | { readonly kind: "accepted"; readonly account: Account }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** It could not be asked; another try may go better. */
  | { readonly kind: "unchecked"; readonly refusal: Refusal };

/** Calls a tool; `accessToken` where somebody signed in at its own page, `partnerName` where a customer reads the answer. */
export type ToolCheck = (
  settings: unknown,
  signal: AbortSignal,
  accessToken?: Secret,
  partnerName?: string,
) => Promise<ToolAnswer>;

/** Nothing renews it: a check that finds it spent has its answer. */
const onlyToken = (accessToken: Secret | undefined) => ({
  current: async () => accessToken?.reveal() ?? "",
  refresh: async () => null,
});

/** Calls a tool through its connector, once: who waits for the answer has no time for a second try. */
export const createToolCheck =
  (connector: Connector, transport: Transport): ToolCheck =>
  async (settings, signal, accessToken, partnerName) => {
    const { manifest } = partnerName === undefined ? connector : namedFor(connector, partnerName);
    const http = createHttp({
      manifest,
      settings,
      transport,
      authorizer: createAuthorizer(manifest, settings, onlyToken(accessToken)),
      limiter: createLocalLimiter(manifest.limits, manifest.concurrency),
      signal,
      retry: { attempts: 1 },
    });
    try {
      return { kind: "accepted", account: await connector.check({ http, settings, signal }) };
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      // What a later try could mend was not refused.
      const kind = error.recovery === "retry" ? "unchecked" : "refused";
      return { kind, refusal: explainRefusal(manifest, settings, error) };
    }
  };

/** One for every tool, those that are switched off included: what uses them goes on. */
export const createToolChecks = (
  registry: ToolRegistry,
  transport: Transport,
): ReadonlyMap<string, ToolCheck> =>
  new Map(registry.every().map((tool) => [tool.manifest.name, createToolCheck(tool, transport)]));
