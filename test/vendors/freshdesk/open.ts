import { createFreshdesk } from "../../../connectors/freshdesk/index.ts";
import { originsOf } from "./origins.ts";
import { type FreshdeskOptions, startFreshdesk } from "./stand-in.ts";

/** A stand-in without quotas unless asked for, and the connector that calls it. */
export const openFreshdesk = async (options: FreshdeskOptions = {}) => {
  const tool = await startFreshdesk({ quotas: "off", ...options });
  const settings = { instanceUrl: tool.url, token: tool.credentials.apiKey };
  return { tool, connector: createFreshdesk(originsOf(tool)), settings };
};
