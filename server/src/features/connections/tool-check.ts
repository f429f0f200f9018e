import { type Account, type Connector, isConnectorError } from "@portage/connector-kit";
import {
  createAuthorizer,
  createHttp,
  createLocalLimiter,
  type Transport,
} from "@portage/connector-kit/http";
import type { Secret } from "../../platform/secret.ts";
import { namedFor, type ToolRegistry } from "../tools/index.ts";
import { chooseSignIn } from "./choose-sign-in.ts";
import { explainRefusal, type Refusal } from "./refusal.ts";

/** A tool's answer to a call with the given settings. */
export type ToolAnswer =
  | { readonly kind: "accepted"; readonly account: Account }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The tool could not be called; a retry may succeed. */
  | { readonly kind: "unchecked"; readonly refusal: Refusal };

/** Calls a tool; `accessToken` after a sign-in at its own page, `partnerName` if a customer reads the answer. */
export type ToolCheck = (
  settings: unknown,
  signal: AbortSignal,
  accessToken?: Secret,
  partnerName?: string,
) => Promise<ToolAnswer>;

/** Never refreshed: for a check, an expired token is an answer. */
const onlyToken = (accessToken: Secret | undefined) => ({
  current: async () => accessToken?.reveal() ?? "",
  refresh: async () => null,
});

/** Calls a tool through its connector, without retries: a customer waits for the answer. */
export const createToolCheck =
  (connector: Connector, transport: Transport): ToolCheck =>
  async (settings, signal, accessToken, partnerName) => {
    const named = partnerName === undefined ? connector : namedFor(connector, partnerName);
    const manifest = chooseSignIn(named.manifest, accessToken ? "oauth2" : "secret");
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
      return { kind: "accepted", account: await connector.check({ http, settings, signal, scope: {} }) };
    } catch (error) {
      if (!isConnectorError(error)) throw error;
      // An error that a retry may fix is not a refusal.
      const kind = error.recovery === "retry" ? "unchecked" : "refused";
      return { kind, refusal: explainRefusal(manifest, settings, error) };
    }
  };

/** One check per tool, switched-off ones included: imports that use them continue. */
export const createToolChecks = (
  registry: ToolRegistry,
  transport: Transport,
): ReadonlyMap<string, ToolCheck> =>
  new Map(registry.every().map((tool) => [tool.manifest.name, createToolCheck(tool, transport)]));
