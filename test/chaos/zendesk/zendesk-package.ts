import { connector as bound } from "../../vendors/packages/zendesk.ts";

/** For PORTAGE_CONNECTORS: the connector for Zendesk's stand-in, which waits for late writes as long as the proxy keeps them back. */
export const connector = {
  ...bound,
  manifest: {
    ...bound.manifest,
    // Longer than the proxy keeps a write back; the proof must not take hours.
    grace: { lateWriteMs: 8_000, findLagMs: 0 },
  },
};
