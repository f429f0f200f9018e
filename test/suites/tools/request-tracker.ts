import { setTimeout as wait } from "node:timers/promises";
import type { Subject } from "@portage/connector-kit/conformance";
import { requestTracker } from "../../../connectors/request-tracker/index.ts";
import { createRtApi } from "../../tools/request-tracker/api.ts";
import { countRtCopies } from "../../tools/request-tracker/copy-tables.ts";
import { plantScrip } from "../../tools/request-tracker/plant-scrip.ts";
import { startSeededRequestTracker } from "../../tools/request-tracker/seeded-request-tracker.ts";
import { startSmtpSink } from "../../tools/smtp-sink.ts";
import { patienceMs } from "../../support/patience.ts";
import { debianVersion } from "../debian-version.ts";
import type { ToolSuite } from "../suite.ts";

export const suite: ToolSuite = {
  tool: "request-tracker",
  counterpart: { kind: "real server", product: "Request Tracker", version: "5.0" },
  runs: [{ label: "Request Tracker", family: "helpdesk" }],
  async start(transport) {
    const sink = await startSmtpSink();
    const { tracker } = await startSeededRequestTracker({ smtpPort: sink.port });
    const { url, token } = tracker;
    const { call, message } = createRtApi(url, token, () => "");
    // Zero mails would prove nothing if the notification rules were off.
    await call("POST", "ticket", { Queue: "General", Subject: "Tells", Requestor: "jo.doe@example.com" });
    const givenUpAt = Date.now() + patienceMs;
    while (sink.mails().length === 0) {
      if (Date.now() > givenUpAt) throw new Error("Request Tracker sends no mail for a new ticket.");
      await wait(50);
    }
    sink.empty();
    const disturb: Subject["disturb"] = async (stream, { update, remove }) => {
      // RT can remove tickets only.
      if (stream !== "tickets") return;
      for (const id of update) await call("PUT", `ticket/${id}`, { Subject: "Changed meanwhile" });
      for (const id of remove) await call("DELETE", `ticket/${id}`);
    };
    const addTo: Subject["addTo"] = async (stream, id) => {
      if (stream !== "tickets") return null;
      await message(id, "comment", { text: "Thank you!" });
      return async () => {
        const { Status } = await call<{ Status: string }>("GET", `ticket/${id}`);
        return Status !== "deleted";
      };
    };
    const settings = { instanceUrl: url, token, externalIdField: "External ID" };
    const subject: Subject = {
      connector: {
        ...requestTracker,
        manifest: { ...requestTracker.manifest, grace: { lateWriteMs: 1_000, findLagMs: 0 } },
      },
      settings,
      family: "helpdesk",
      transport,
      pageSize: 8,
      mails: async () => sink.mails().length,
      loud: async (work) => {
        const removeScrip = await plantScrip(tracker, "manager@example.com");
        await work(settings);
        await removeScrip();
      },
      copies: countRtCopies(tracker),
      addTo,
      disturb,
    };
    return {
      version: debianVersion("request-tracker5"),
      subject: () => subject,
      stop: async () => {
        await tracker.stop();
        await sink.close();
      },
    };
  },
};
