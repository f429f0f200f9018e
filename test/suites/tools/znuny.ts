import type { Subject } from "@portage/connector-kit/conformance";
import { znuny } from "../../../connectors/znuny/index.ts";
import { keepFewOfOneSecond, startSeededZnuny } from "../../tools/znuny/seeded-znuny.ts";
import { znunyApi } from "../../tools/znuny/znuny-api.ts";
import { znunyVersion } from "../../tools/znuny/znuny-server.ts";
import type { ToolSuite } from "../suite.ts";

export const suite: ToolSuite = {
  tool: "znuny",
  counterpart: { kind: "real server", product: "Znuny", version: "6.5" },
  runs: [{ label: "Znuny", family: "helpdesk" }],
  async start(transport) {
    const { znuny: server } = await startSeededZnuny();
    await keepFewOfOneSecond(server);
    const { url: instanceUrl, username, password, webService, timeZone } = server;
    const api = znunyApi(server);
    const disturb: Subject["disturb"] = async (stream, { update, remove }) => {
      if (stream !== "tickets") return;
      for (const id of update)
        await api.call("PATCH", `Ticket/${id}`, { Ticket: { Title: "Changed meanwhile" } });
      await api.removeTickets(remove);
    };
    const settings = { instanceUrl, username, password, webService, timeZone };
    const subject: Subject = {
      connector: znuny,
      settings,
      family: "helpdesk",
      transport,
      pageSize: 10,
      disturb,
    };
    return {
      version: znunyVersion(),
      subject: () => subject,
      stop: () => server.stop(),
    };
  },
};
