import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, test } from "vitest";
import { createRtApi } from "../../test/tools/request-tracker/api.ts";
import { countRtCopies } from "../../test/tools/request-tracker/copy-tables.ts";
import {
  type RequestTracker,
  startRequestTracker,
} from "../../test/tools/request-tracker/request-tracker.ts";
import { seedMany, seedRequestTracker } from "../../test/tools/request-tracker/seed.ts";
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
    tool = await startRequestTracker({ smtpPort: sink.port });
    const { url, token } = tool;
    await seedRequestTracker(url, token);
    await seedMany(url, token, 100);
    const mailed = sink.mails().length;
    if (mailed === 0) throw new Error("The notification rules are off: zero mails would prove nothing.");
    sink.empty();
    const { call } = createRtApi(url, token, () => "");
    const mails = () => sink?.mails().length ?? 0;
    return {
      connector: {
        ...requestTracker,
        manifest: { ...requestTracker.manifest, grace: { lateWriteMs: 1_000, findLagMs: 0 } },
      },
      settings: { instanceUrl: url, token, externalIdField: "External ID" },
      family: "helpdesk",
      transport,
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
  900_000,
);
