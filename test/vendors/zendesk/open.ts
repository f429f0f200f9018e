import { createZendesk } from "../../../connectors/zendesk/index.ts";
import { smallSizes } from "../kit/seed-nasty.ts";
import { startZendesk, type ZendeskOptions } from "./stand-in.ts";

/** A stand-in without quotas and lags unless asked for, and the connector that calls it. */
export const openZendesk = async (options: ZendeskOptions = {}) => {
  const tool = await startZendesk({ sizes: smallSizes, quotas: "off", exportLagMs: 0, ...options });
  const connector = createZendesk({
    account: new RegExp(`^${tool.url}$`),
    files: [tool.filesUrl],
    exportLagMs: options.exportLagMs ?? 0,
  });
  const { email: username, apiToken: token } = tool.credentials;
  return { tool, connector, settings: { instanceUrl: `${tool.url}/agent/`, username, token } };
};
