import { type Connector, isConnectorError } from "@portage/connector-kit";
import {
  createAuthorizer,
  createHttp,
  createLocalLimiter,
  type Transport,
} from "@portage/connector-kit/http";
import type { ToolCheck } from "./check-destination.ts";

/** The token that a partner gave stands in for a sign-in; there is nothing to renew it with. */
const givenToken = (settings: unknown) => {
  const { token = "" } = settings as { token?: string };
  return { current: async () => token, refresh: async () => null };
};

/** Calls a tool through its connector, once: who waits for the answer has no time for a second try. */
export const createToolCheck =
  (connector: Connector, transport: Transport): ToolCheck =>
  async (settings, signal) => {
    const { manifest } = connector;
    const http = createHttp({
      manifest,
      settings,
      transport,
      authorizer: createAuthorizer(manifest, settings, givenToken(settings)),
      limiter: createLocalLimiter(manifest.limits, manifest.concurrency),
      signal,
      retry: { attempts: 1 },
    });
    try {
      const { signInName } = await connector.check({ http, settings, signal });
      return { kind: "accepted", signInName };
    } catch (error) {
      // What a later try could mend was not refused: it was not checked.
      if (isConnectorError(error) && error.recovery !== "retry")
        return { kind: "refused", message: error.message };
      throw error;
    }
  };
