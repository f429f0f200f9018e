import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, test, vi } from "vitest";
import { createRtApi } from "../../test/tools/request-tracker/api.ts";
import { countRtCopies } from "../../test/tools/request-tracker/copy-tables.ts";
import type { RequestTracker } from "../../test/tools/request-tracker/request-tracker.ts";
import { startSeededRequestTracker } from "../../test/tools/request-tracker/seeded-request-tracker.ts";
import { patienceMs } from "../../test/support/patience.ts";
import { type SmtpSink, startSmtpSink } from "../../test/tools/smtp-sink.ts";
import { requestTracker } from "./index.ts";

const transport = createPlainTransport();
let tool: RequestTracker | undefined;
let sink: SmtpSink | undefined;

afterAll(async () => {
  await tool?.stop();
  await sink?.close();
  await transport.close();
});

testConformance(
  "Request Tracker",
  { describe, test },
  async () => {
    sink = await startSmtpSink();
    tool = (await startSeededRequestTracker({ smtpPort: sink.port })).tracker;
    const { url, token } = tool;
    const { call } = createRtApi(url, token, () => "");
    // Zero mails would prove nothing if the notification rules were off.
    await call("POST", "ticket", { Queue: "General", Subject: "Tells", Requestor: "somebody@example.com" });
    await vi.waitUntil(() => (sink?.mails().length ?? 0) > 0, patienceMs);
    sink.empty();
    const mails = () => sink?.mails().length ?? 0;
    return {
      connector: {
        ...requestTracker,
        manifest: { ...requestTracker.manifest, grace: { lateWriteMs: 1_000, findLagMs: 0 } },
      },
      settings: { instanceUrl: url, token, externalIdField: "External ID" },
      family: "helpdesk",
      transport,
      pageSize: 8,
      mails: async () => mails(),
      copies: countRtCopies(tool),
      async disturb(stream, { update, remove }) {
        // RT can remove tickets only.
        if (stream !== "tickets") return;
        for (const id of update) await call("PUT", `ticket/${id}`, { Subject: "Changed meanwhile" });
        for (const id of remove) await call("DELETE", `ticket/${id}`);
      },
    };
  },
  3_600_000,
);
