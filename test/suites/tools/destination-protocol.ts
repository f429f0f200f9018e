import type { Subject } from "@portage/connector-kit/conformance";
import { createTestIo } from "@portage/connector-kit/testing";
import { destinationProtocol } from "../../../connectors/destination-protocol/index.ts";
import { secret, startDesk } from "../../../examples/partner-app/test/running-desk.ts";
import type { ToolSuite } from "../suite.ts";

export const suite: ToolSuite = {
  tool: "destination-protocol",
  counterpart: { kind: "example", product: "Ferry Desk, the example of a partner's application" },
  runs: [{ label: "The destination protocol", family: "helpdesk" }],
  async start(transport) {
    const desk = await startDesk();
    const settings = { instanceUrl: desk.url, token: secret };
    const { manifest, offers } = destinationProtocol;
    const destination = (await offers?.(createTestIo({ manifest, settings, transport }))) ?? {};
    const subject: Subject = {
      connector: { ...destinationProtocol, destination },
      settings,
      family: "helpdesk",
      transport,
      mails: async () => Number(desk.store.database.prepare("select count(*) as n from mails").get()?.n),
    };
    return { subject: () => subject, stop: () => desk.close() };
  },
};
