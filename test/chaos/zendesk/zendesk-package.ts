import { createZendesk } from "@portage/connectors";

/** For PORTAGE_CONNECTORS: the connector for Zendesk's stand-in, by another name, since the server has `zendesk` built in. */
const zendesk = createZendesk({
  account: /^http:\/\/127\.0\.0\.1:\d+$/,
  files: [process.env["ZENDESK_FILES_URL"] ?? "http://127.0.0.1"],
  exportLagMs: 0,
});

export const connector = {
  ...zendesk,
  manifest: {
    ...zendesk.manifest,
    name: "zendesk-stand-in",
    label: "Zendesk's stand-in",
    // Longer than the proxy keeps a write back; the proof must not take hours.
    grace: { lateWriteMs: 8_000, findLagMs: 0 },
  },
};
