import { runConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { destinationProtocol } from "../../../connectors/destination-protocol/index.ts";
import { secret, startDesk } from "./running-desk.ts";

const transport = createPlainTransport();
const desk = await startDesk();
afterAll(async () => {
  await desk.close();
  await transport.close();
});

test("x", async () => {
  const settings = { instanceUrl: desk.url, token: secret };
  const io = createTestIo({ manifest: destinationProtocol.manifest, settings, transport });
  const destination = await destinationProtocol.offers!(io);
  const results = await runConformance({
    connector: { ...destinationProtocol, destination },
    settings,
    family: "helpdesk",
    transport,
    mails: async () => Number(desk.store.database.prepare("select count(*) n from mails").get()!.n),
  });
  for (const r of results) console.log(r.verdict, r.name, r.why ?? "");
  expect(results.filter((r) => r.verdict !== "passed")).toEqual([]);
}, 60000);
