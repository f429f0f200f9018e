import { testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, describe, test } from "vitest";
import { keepFewOfOneSecond, startSeededZnuny } from "../../test/tools/znuny/seeded-znuny.ts";
import { znunyApi } from "../../test/tools/znuny/znuny-api.ts";
import type { ZnunyServer } from "../../test/tools/znuny/znuny-server.ts";
import { znuny } from "./index.ts";

const transport = createPlainTransport();
let server: ZnunyServer | undefined;

afterAll(async () => {
  await server?.stop();
  await transport.close();
});

testConformance(
  "Znuny",
  { describe, test },
  async () => {
    server = (await startSeededZnuny()).znuny;
    await keepFewOfOneSecond(server);
    const { url, username, password, webService, timeZone } = server;
    const api = znunyApi(server);
    return {
      connector: znuny,
      settings: { instanceUrl: url, username, password, webService, timeZone },
      family: "helpdesk",
      transport,
      pageSize: 10,
      async disturb(stream, { update, remove }) {
        if (stream !== "tickets") return;
        for (const id of update)
          await api.call("PATCH", `Ticket/${id}`, { Ticket: { Title: "Changed meanwhile" } });
        await api.removeTickets(remove);
      },
    };
  },
  3_600_000,
);
